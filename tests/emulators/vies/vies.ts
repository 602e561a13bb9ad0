import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

/**
 * The faults of VIES. `state down` and `busy` are its own errors, `asker` refuses the requester, `silence` never
 * responds, `cut` aborts the connection, `garbage`, `odd`, `other` and `huge` return an invalid response.
 */
export type ViesFault =
  'nothing' | 'state down' | 'busy' | 'asker' | 'silence' | 'cut' | 'garbage' | 'odd' | 'other' | 'huge' | 'failing'

export const ViesQuestion = z.strictObject({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  vatNumber: z.string().min(2).max(12),
  requesterMemberStateCode: z.string().length(2).optional(),
  requesterNumber: z.string().optional(),
})
export type ViesQuestion = z.infer<typeof ViesQuestion>

export type ViesEmulator = {
  readonly url: string
  readonly asked: ViesQuestion[]
  /** Numbers that exist, with their prefix. */
  readonly known: Set<string>
  set(fault: ViesFault): void
  close(): Promise<void>
}

type Answer = { status: number; body: string }
const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) })
const refused = (error: string): Answer => json(400, { actionSucceed: false, errorWrappers: [{ error }] })

function answered({ countryCode, vatNumber, requesterNumber }: ViesQuestion, known: ReadonlySet<string>): Answer {
  const valid = known.has(`${countryCode}${vatNumber}`)
  return json(200, {
    countryCode,
    vatNumber,
    valid,
    requestDate: '2026-11-22T08:00:00.000Z',
    requestIdentifier: requesterNumber === undefined ? '' : `WAPIAAAA${vatNumber}`,
    name: valid ? 'ACME GmbH' : '---',
    address: '---',
    traderName: '---',
    traderStreet: '---',
  })
}

function spoil(fault: ViesFault, question: ViesQuestion, known: ReadonlySet<string>): Answer | 'cut' | 'silence' {
  switch (fault) {
    case 'nothing':
      return answered(question, known)
    case 'state down':
      return refused('MS_UNAVAILABLE')
    case 'busy':
      return refused('GLOBAL_MAX_CONCURRENT_REQ')
    case 'asker':
      return question.requesterNumber === undefined ? answered(question, known) : refused('INVALID_REQUESTER_INFO')
    case 'silence':
    case 'cut':
      return fault
    case 'garbage':
      return { status: 200, body: '<html>Request Rejected' }
    case 'odd':
      return json(200, { valid: 'yes' })
    case 'other':
      return answered({ ...question, vatNumber: `${question.vatNumber}9` }, new Set())
    case 'huge':
      return { status: 200, body: 'x'.repeat(200_000) }
    case 'failing':
      return { status: 503, body: 'Service Unavailable' }
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
}

/** The REST interface of VIES as far as we use it: `POST /check-vat-number`. */
export async function startVies(): Promise<ViesEmulator> {
  const asked: ViesQuestion[] = []
  const known = new Set<string>()
  let fault: ViesFault = 'nothing'
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const question = ViesQuestion.safeParse(body)
      const isOurs = request.method === 'POST' && request.url === '/vies/rest-api/check-vat-number'
      if (!isOurs || !question.success) return void response.writeHead(404).end()
      asked.push(question.data)
      const isNumber = /^[A-Z0-9+*]{2,12}$/.test(question.data.vatNumber) && /\d{4}/.test(question.data.vatNumber)
      const answer = isNumber ? spoil(fault, question.data, known) : refused('INVALID_INPUT')
      if (answer === 'cut') return void response.destroy()
      if (answer === 'silence') return
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/vies/rest-api/`,
    asked,
    known,
    set: (next) => {
      fault = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
