import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PaypalBooks } from './paypal-books.ts'
import { answerPaypal, newToken, operationOf } from './paypal-calls.ts'
import type { PaypalAnswer, PaypalQuestion } from './paypal-calls.ts'
import type { PaypalEvent } from './paypal-objects.ts'
import { answerCheckout } from './paypal-pages.ts'
import { PaypalRefusal, refusal } from './paypal-refusals.ts'
import { PaypalSigner } from './paypal-webhooks.ts'
import type { PaypalMessage } from './paypal-webhooks.ts'

/**
 * The faults of PayPal. `down` does nothing and says 500; `silent` does the work and never answers; `cut` does it and
 * ends the connection, `lost answer` only where something was to be changed; `busy` is the limit of calls; `expired`
 * forgets every token; with `no disputes` the account may not read them, with `no refunds` an order lists none.
 */
export type PaypalFault =
  'nothing' | 'down' | 'silent' | 'cut' | 'lost answer' | 'busy' | 'not json' | 'expired' | 'no disputes' | 'no refunds'

export type PaypalOptions = {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  readonly port?: number
  /** The address to which events are sent at once; without it they are only stored. */
  readonly webhookUrl?: string
  readonly nowMs?: () => number
}

export type PaypalCall = PaypalQuestion & {
  /** The published operation; `token` for the call that issues one. */
  readonly operation: string
  readonly status: number
  readonly answer: object
}

export type PaypalEmulator = {
  readonly url: string
  readonly books: PaypalBooks
  readonly calls: readonly PaypalCall[]
  readonly events: readonly PaypalEvent[]
  set(fault: PaypalFault): void
  /** Forgets request ids, as after six hours. */
  pruneKeys(): void
  /** An event as it would be sent now. */
  message(event: PaypalEvent): PaypalMessage
  close(): Promise<void>
}

type Story = {
  readonly options: PaypalOptions
  readonly books: PaypalBooks
  readonly signer: PaypalSigner
  readonly tokens: Set<string>
  readonly remembered: Map<string, PaypalAnswer>
  readonly calls: PaypalCall[]
  readonly events: PaypalEvent[]
  fault: PaypalFault
  url: string
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const send = (response: ServerResponse, status: number, body: string, type = 'application/json'): void => {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

function giveToken({ options, tokens }: Story, request: IncomingMessage, body: string): PaypalAnswer {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const isClient = Buffer.from(basic, 'base64').toString('utf8') === `${options.clientId}:${options.clientSecret}`
  if (!isClient) {
    return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
  }
  if (new URLSearchParams(body).get('grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'unsupported grant_type' } }
  }
  const token = newToken()
  tokens.add(token.access_token)
  return { status: 200, body: token }
}

/** A repeated request id gets the earlier response, including business refusals. */
function answerOnce(story: Story, question: PaypalQuestion, work: () => PaypalAnswer): PaypalAnswer {
  const key = question.requestId === undefined ? undefined : `${question.path} ${question.requestId}`
  const known = key === undefined ? undefined : story.remembered.get(key)
  if (known) return { ...known, status: known.status === 201 ? 200 : known.status }
  try {
    const answer = work()
    // A repeated response shows the current state, not the earlier one.
    if (key !== undefined) story.remembered.set(key, answer)
    return answer
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error
    const answer = { status: error.status, body: error.body }
    if (key !== undefined && error.status === 422) story.remembered.set(key, answer)
    return answer
  }
}

function withoutRefunds({ status, body }: PaypalAnswer): PaypalAnswer {
  const bare = JSON.stringify(body, (key, value: unknown) => (key === 'refunds' ? undefined : value))
  return { status, body: JSON.parse(bare) as object }
}

function work(story: Story, request: IncomingMessage, question: PaypalQuestion): PaypalAnswer {
  if (story.fault === 'expired') story.tokens.clear()
  if (question.path === '/v1/oauth2/token') return giveToken(story, request, question.body)
  try {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!story.tokens.has(token)) throw refusal(401)
    if (story.fault === 'down') throw refusal(500)
    if (story.fault === 'no disputes' && question.path.startsWith('/v1/customer/disputes'))
      throw new PaypalRefusal(403, { name: 'NOT_AUTHORIZED', message: 'Authorization failed.' })
    if (story.fault === 'busy')
      throw new PaypalRefusal(429, { name: 'RATE_LIMIT_REACHED', message: 'Too many requests.' })
    const told = answerOnce(story, question, () => answerPaypal(story.books, story.signer, question))
    return story.fault === 'no refunds' ? withoutRefunds(told) : told
  } catch (error) {
    if (error instanceof PaypalRefusal) return { status: error.status, body: error.body }
    throw error
  }
}

async function answer(story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, search } = new URL(request.url ?? '/', story.url)
  if (path === '/checkoutnow') return answerCheckout(story.books, request, response)
  const { method = 'GET' } = request
  const body = await readBody(request)
  const header = request.headers['paypal-request-id']
  const requestId = typeof header === 'string' ? header : undefined
  const question = { method, path, body, query: search.slice(1), requestId }
  const result = work(story, request, question)
  const operation = path === '/v1/oauth2/token' ? 'token' : (operationOf(method, path)?.name ?? 'none')
  const told = JSON.stringify(result.body)
  story.calls.push({ ...question, operation, status: result.status, answer: JSON.parse(told) as object })
  if (operation !== 'token') {
    if (story.fault === 'cut' || (story.fault === 'lost answer' && method === 'POST'))
      return void request.socket.destroy()
    if (story.fault === 'silent') return
    if (story.fault === 'not json') return send(response, 200, '<html>busy</html>', 'text/html')
  }
  send(response, result.status, told)
}

function tell(story: Story, event: PaypalEvent): void {
  story.events.push(event)
  const { webhookUrl } = story.options
  if (webhookUrl === undefined) return
  const { body, headers } = story.signer.sign(event, event.create_time)
  // Whether anything listens is up to the test.
  void fetch(webhookUrl, { method: 'POST', body, headers }).catch(() => {})
}

/** A PayPal on the loopback: the API, the page on which customers agree, and signed events. */
export async function startPaypal(options: PaypalOptions): Promise<PaypalEmulator> {
  const nowMs = options.nowMs ?? Date.now
  const books = new PaypalBooks({ nowMs, onEvent: (event) => tell(story, event), baseUrl: () => story.url })
  const story: Story = {
    options,
    books,
    signer: new PaypalSigner(options.webhookId),
    tokens: new Set(),
    remembered: new Map(),
    calls: [],
    events: [],
    fault: 'nothing',
    url: '',
  }
  const server = createServer((request, response) => {
    answer(story, request, response).catch((error: unknown) =>
      send(response, 500, JSON.stringify({ name: String(error) })),
    )
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  story.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: story.url,
    books,
    calls: story.calls,
    events: story.events,
    set: (fault) => void (story.fault = fault),
    pruneKeys: () => story.remembered.clear(),
    message: (event) => story.signer.sign(event, books.now()),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
