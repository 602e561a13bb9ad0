import { XMLParser } from 'fast-xml-parser'
import * as z from 'zod'
import { HandOverFailure, type HandOverFailureKind } from '../../invoice-provider.ts'

/** The Agent's response: its status, its headers and the beginning of its body. */
export type AgentAnswer = { readonly status: number; readonly headers: Headers; readonly body: string }

/** The error code of a query without a result. */
const NOT_FOUND = '7'

/** Codes with a known meaning; staff look at any other one. */
const KINDS: Readonly<Record<string, HandOverFailureKind>> = {
  '1': 'temporary',
  '3': 'configuration',
  '49': 'configuration',
  '53': 'permanent',
  '54': 'configuration',
  '55': 'unknown',
  '57': 'permanent',
  '136': 'configuration',
  '202': 'configuration',
  ...Object.fromEntries(['259', '260', '261', '262', '263', '264'].map((code) => [code, 'permanent' as const])),
}

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, processEntities: true })
const Verdict = z.object({
  xmlszamlavalasz: z.object({
    sikeres: z.enum(['true', 'false']),
    hibakod: z.string().optional(),
    szamlaszam: z.string().optional(),
  }),
})
const Found = z.object({
  szamla: z.object({ alap: z.object({ szamlaszam: z.string().min(1), rendelesszam: z.string().optional() }) }),
})

const xmlOf = (body: string): unknown => {
  try {
    return parser.parse(body)
  } catch {
    return undefined
  }
}

const failureOf = (code: string): HandOverFailure =>
  new HandOverFailure(KINDS[code] ?? 'configuration', /^\d{1,4}$/.test(code) ? `CODE_${code}` : 'CODE_UNKNOWN')

/** The error in a response, from its headers or its body; `unread` classifies an unreadable response. */
function refusalOf({ status, headers, body }: AgentAnswer, unread: HandOverFailureKind): string | undefined {
  if (headers.get('szlahu_down') === 'true') throw new HandOverFailure('temporary', 'DOWN')
  const code = headers.get('szlahu_error_code')
  if (code !== null) return code
  if (status !== 200) throw new HandOverFailure(unread, `STATUS_${status}`)
  const verdict = Verdict.safeParse(xmlOf(body))
  return verdict.success && verdict.data.xmlszamlavalasz.sikeres === 'false'
    ? (verdict.data.xmlszamlavalasz.hibakod ?? '')
    : undefined
}

/** The result of a query: the provider's number and the document's order number, or undefined without a result. */
export function readFound(answer: AgentAnswer): { number: string; orderNumber: string | undefined } | undefined {
  const refusal = refusalOf(answer, 'temporary')
  if (refusal === NOT_FOUND) return undefined
  if (refusal !== undefined) throw failureOf(refusal)
  const found = Found.safeParse(xmlOf(answer.body))
  if (!found.success) throw new HandOverFailure('temporary', 'UNREADABLE')
  const { szamlaszam: number, rendelesszam: orderNumber } = found.data.szamla.alap
  return { number, orderNumber }
}

/**
 * The number in the response to an order to issue. With an unreadable response the document may have been issued all
 * the same.
 */
export function readIssued(answer: AgentAnswer): string {
  const refusal = refusalOf(answer, 'unknown')
  if (refusal !== undefined) throw failureOf(refusal)
  const verdict = Verdict.safeParse(xmlOf(answer.body))
  const number = verdict.data?.xmlszamlavalasz.szamlaszam ?? answer.headers.get('szlahu_szamlaszam') ?? ''
  if (number === '') throw new HandOverFailure('unknown', 'UNREADABLE')
  return number
}
