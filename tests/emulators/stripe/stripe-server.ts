import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StripeBooks } from './stripe-books.ts'
import { answerCall } from './stripe-calls.ts'
import { readFields, StripeRefusal } from './stripe-form.ts'
import { StripeIdempotency } from './stripe-idempotency.ts'
import type { StripeEvent } from './stripe-objects.ts'
import { answerPage } from './stripe-pages.ts'
import { signedMessage, type StripeMessage } from './stripe-webhooks.ts'

/**
 * The faults of Stripe. `down` does nothing and says 500; `broken` does nothing and keeps its 500 for the key; `silent`
 * does the work and never answers; `cut` does it and ends the connection, `lost answer` only where something was to be
 * changed; `held` is still at work, so that the key is in use; `busy` is the limit of calls.
 */
export type StripeFault =
  'nothing' | 'down' | 'broken' | 'silent' | 'cut' | 'lost answer' | 'held' | 'busy' | 'not json' | 'no script'

export type StripeOptions = {
  readonly secretKey: string
  readonly publishableKey: string
  /** The signing secrets of the endpoint; two while one is being rolled. */
  readonly webhookSecrets: readonly string[]
  readonly port?: number
  /** The address to which events are sent at once; without it they are only stored. */
  readonly webhookUrl?: string
  readonly nowMs?: () => number
}

export type StripeCall = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly fields: Readonly<Record<string, string>>
  readonly status: number
}

export type StripeEmulator = {
  readonly url: string
  readonly scriptUrl: string
  readonly books: StripeBooks
  readonly calls: readonly StripeCall[]
  /** Every event, in the order of the changes. */
  readonly events: readonly StripeEvent[]
  set(fault: StripeFault): void
  /** Forgets keys, as after a day. */
  pruneKeys(): void
  /** An event as it would be sent now, or when `ageS` seconds have passed since its signature. */
  message(event: StripeEvent, options?: { ageS?: number; secrets?: readonly string[] }): StripeMessage
  close(): Promise<void>
}

type Story = {
  readonly options: StripeOptions
  readonly books: StripeBooks
  readonly keys: StripeIdempotency
  readonly calls: StripeCall[]
  readonly events: StripeEvent[]
  readonly waiting: Set<ServerResponse>
  fault: StripeFault
  url: string
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_emulated',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
    ...headers,
  })
  response.end(body)
}

const errorBody = (error: Readonly<Record<string, unknown>>): string => JSON.stringify({ error })

function callerOf({ options }: Story, request: IncomingMessage): 'server' | 'browser' {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === options.secretKey) return 'server'
  if (bearer === options.publishableKey) return 'browser'
  throw new StripeRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_****' })
}

type Answer = { status: number; body: string; replayed: boolean }
type Asked = {
  method: string
  path: string
  body: string
  fields: ReturnType<typeof readFields>
  key: string | undefined
}

function work(story: Story, request: IncomingMessage, asked: Asked): Answer {
  const { key } = asked
  let begun = false
  try {
    const isBrowser = callerOf(story, request) === 'browser'
    if (!isBrowser && story.fault === 'busy')
      throw new StripeRefusal(429, { type: 'invalid_request_error', code: 'rate_limit' })
    if (key !== undefined && asked.method === 'POST') {
      const stored = story.keys.begin(key, asked)
      if (stored) return { ...stored, replayed: true }
      begun = true
    }
    if (!isBrowser && (story.fault === 'down' || story.fault === 'broken')) {
      const status = 500
      throw new StripeRefusal(status, { type: 'api_error', message: 'An unknown error occurred' })
    }
    if (!isBrowser && story.fault === 'held') return { status: 0, body: '', replayed: false }
    const body = JSON.stringify(answerCall(story.books, { ...asked, isBrowser }))
    if (begun && key !== undefined) story.keys.keep(key, { status: 200, body })
    return { status: 200, body, replayed: false }
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    const body = errorBody(error.error)
    const isKept = error.status === 402 || (error.status === 500 && story.fault === 'broken')
    if (begun && key !== undefined && isKept) story.keys.keep(key, { status: error.status, body })
    else if (begun && key !== undefined) story.keys.forget(key)
    return { status: error.status, body, replayed: false }
  }
}

async function answerApi(story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, search } = new URL(request.url ?? '/', story.url)
  const { method = 'GET' } = request
  if (method === 'OPTIONS') return send(response, 204, '')
  const body = method === 'POST' ? await readBody(request) : search.slice(1)
  const fields = readFields(body)
  const header = request.headers['idempotency-key']
  const key = typeof header === 'string' ? header : undefined
  const answer = work(story, request, { method, path, body, fields, key })
  story.calls.push({ method, path, key, fields: Object.fromEntries(fields), status: answer.status })
  if (story.fault === 'cut' || (story.fault === 'lost answer' && method === 'POST'))
    return void request.socket.destroy()
  if (story.fault === 'silent' || story.fault === 'held') return void story.waiting.add(response)
  if (story.fault === 'not json') return send(response, 200, '<html>busy</html>', { 'content-type': 'text/html' })
  send(response, answer.status, answer.body, answer.replayed ? { 'idempotent-replayed': 'true' } : {})
}

const nowMsOf = ({ nowMs = Date.now }: StripeOptions): (() => number) => nowMs

function tell(story: Story, event: StripeEvent): void {
  story.events.push(event)
  const { webhookUrl, webhookSecrets } = story.options
  if (webhookUrl === undefined) return
  const { body, headers } = signedMessage(event, webhookSecrets, Math.floor(nowMsOf(story.options)() / 1_000))
  // Whether anything listens is up to the test.
  void fetch(webhookUrl, { method: 'POST', body, headers }).catch(() => {})
}

/** A Stripe on the loopback: the API, the signed events, and the parts that its script shows in the browser. */
export async function startStripe(options: StripeOptions): Promise<StripeEmulator> {
  const nowMs = nowMsOf(options)
  const books = new StripeBooks({ nowMs, onEvent: (event) => tell(story, event), baseUrl: () => story.url })
  const keys = new StripeIdempotency()
  const story: Story = { options, books, keys, calls: [], events: [], waiting: new Set(), fault: 'nothing', url: '' }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const isApi = path.startsWith('/v1/')
    const answered = isApi
      ? answerApi(story, request, response)
      : answerPage({ books, hasScript: story.fault !== 'no script', baseUrl: story.url }, request, response)
    answered.catch((error: unknown) => send(response, 500, errorBody({ type: 'api_error', message: String(error) })))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  story.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: story.url,
    scriptUrl: `${story.url}/stripe.js`,
    books,
    calls: story.calls,
    events: story.events,
    set: (fault) => void (story.fault = fault),
    pruneKeys: () => keys.prune(),
    message: (event, { ageS = 0, secrets = options.webhookSecrets } = {}) =>
      signedMessage(event, secrets, Math.floor(nowMs() / 1_000) - ageS),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
