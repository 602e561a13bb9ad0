import * as z from 'zod'
import { VatOfficeSilent, type VatAnswer, type VatOffice } from './vat-office.ts'

/** It forwards to the offices of the member states, which are slow. */
const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 64 * 1024

const Answered = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  requestIdentifier: z.string().max(64).nullish(),
})
const Refused = z.object({
  errorWrappers: z.array(z.object({ error: z.string().regex(/^[A-Z0-9_-]{1,64}$/) })).min(1),
})

export type ViesOptions = { readonly url: string; readonly timeoutMs?: number }

/**
 * The REST interface of VIES (`check-vat-number`). It returns a member state's error in a special body, with any
 * status; among these only an impossible number is a result.
 */
export function viesOffice(options: ViesOptions): VatOffice {
  const ask = async (number: string, asker: string | undefined): Promise<VatAnswer | 'asker refused'> => {
    const body = await send(options, questionOf(number, asker))
    const refused = Refused.safeParse(body)
    if (refused.success) return answerOfRefusal(refused.data, asker)
    const answered = Answered.safeParse(body)
    if (!answered.success) throw new VatOfficeSilent('MALFORMED')
    const { countryCode, vatNumber, valid: isValid, requestIdentifier } = answered.data
    // A response about another number is ignored.
    if (`${countryCode}${vatNumber.replaceAll(/\s/g, '')}`.toUpperCase() !== number)
      throw new VatOfficeSilent('ANOTHER_NUMBER')
    return { isValid, consultationNumber: requestIdentifier || null }
  }
  return {
    check: async ({ number, asker }) => {
      const answer = await ask(number, asker)
      if (answer !== 'asker refused') return answer
      const again = await ask(number, undefined)
      if (again === 'asker refused') throw new VatOfficeSilent('INVALID_REQUESTER_INFO')
      return again
    },
  }
}

const parted = (number: string) => ({ country: number.slice(0, 2), rest: number.slice(2) })

function questionOf(number: string, asker: string | undefined) {
  const { country, rest } = parted(number)
  const question = { countryCode: country, vatNumber: rest }
  if (asker === undefined) return question
  return { ...question, requesterMemberStateCode: parted(asker).country, requesterNumber: parted(asker).rest }
}

function answerOfRefusal(
  { errorWrappers }: z.infer<typeof Refused>,
  asker: string | undefined,
): VatAnswer | 'asker refused' {
  const code = errorWrappers[0]?.error ?? 'UNKNOWN'
  if (code === 'INVALID_INPUT') return { isValid: false, consultationNumber: null }
  if (code === 'INVALID_REQUESTER_INFO' && asker !== undefined) return 'asker refused'
  throw new VatOfficeSilent(code)
}

async function send({ url, timeoutMs = TIMEOUT_MS }: ViesOptions, question: object): Promise<unknown> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(question),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return JSON.parse(await readBody(response)) as unknown
  } catch (cause) {
    if (cause instanceof VatOfficeSilent) throw cause
    throw new VatOfficeSilent(cause instanceof SyntaxError ? 'MALFORMED' : 'NO_ANSWER', { cause })
  }
}

async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) throw new VatOfficeSilent('TOO_LONG')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
