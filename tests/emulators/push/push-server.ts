import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { decryptPush, type BrowserKeys } from './decrypt.ts'

/** The faults of the push service. `cut` accepts the push and aborts the connection before the response. */
export type PushFault = 'nothing' | 'gone' | 'not found' | 'busy' | 'down' | 'elsewhere' | 'cut' | 'silent'

export type ReceivedPush = {
  readonly path: string
  readonly text: string
  readonly ttl: number
  readonly topic: string | undefined
  readonly urgency: string | undefined
  /** The body as received: the content that the push service itself can see. */
  readonly body: Buffer
}

type Browser = BrowserKeys & { readonly applicationServerKey: string }

export type PushEmulator = {
  readonly port: number
  /** Every push that a browser could read. */
  readonly received: ReceivedPush[]
  /** The returned statuses, in order. */
  readonly answered: number[]
  set(fault: PushFault): void
  /** Subscribes a browser, which keeps the keys. */
  subscribe(applicationServerKey: string): { endpoint: string; keys: { p256dh: string; auth: string } }
  close(): Promise<void>
}

export const RETRY_AFTER_SECONDS = 7
const MAX_BODY_BYTES = 4_096
const MAX_TOKEN_LIFE_SECONDS = 86_400

const VAPID = /^vapid t=([\w.-]+), ?k=([\w-]+)$/

/** Whether the request is signed as RFC 8292 requires, by the key with which the browser subscribed. */
async function isSigned(request: IncomingMessage, origin: string, browser: Browser): Promise<boolean> {
  const [, token = '', key = ''] = VAPID.exec(request.headers.authorization ?? '') ?? []
  if (key !== browser.applicationServerKey) return false
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  try {
    if (decodeProtectedHeader(token).alg !== 'ES256') return false
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256')
    const { payload } = await jwtVerify(token, jwk, { audience: origin })
    const lifeSeconds = (payload.exp ?? Number.POSITIVE_INFINITY) - Date.now() / 1_000
    return lifeSeconds <= MAX_TOKEN_LIFE_SECONDS && /^(mailto:|https:)/.test(payload.sub ?? '')
  } catch {
    return false
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const FAULT_STATUS: Partial<Record<PushFault, number>> = {
  gone: 410,
  'not found': 404,
  busy: 429,
  down: 503,
  elsewhere: 307,
}

type Story = { fault: PushFault; browsers: Map<string, Browser>; received: ReceivedPush[]; origin: string }

/** The status of the push service (RFC 8030 section 5, RFC 8291, RFC 8292), and the push if it is valid. */
async function judge(request: IncomingMessage, body: Buffer, story: Story): Promise<number | ReceivedPush> {
  const { headers, url: path = '' } = request
  const browser = story.browsers.get(path)
  if (!browser) return 404
  const faulty = FAULT_STATUS[story.fault]
  if (faulty !== undefined) return faulty
  if (request.method !== 'POST' || !/^\d+$/.test(headers.ttl?.toString() ?? '')) return 400
  if (!(await isSigned(request, story.origin, browser))) return 403
  if (body.byteLength > MAX_BODY_BYTES) return 413
  if (headers['content-encoding'] !== 'aes128gcm') return 415
  const topic = headers['topic']?.toString()
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return 400
  const text = decryptPush(body, browser)
  return { path, text, body, topic, ttl: Number(headers.ttl), urgency: headers['urgency']?.toString() }
}

/** A push service on this machine, with the browsers that subscribed there. */
export async function startPushService(tls: { key: string; cert: string }): Promise<PushEmulator> {
  const story: Story = { fault: 'nothing', browsers: new Map(), received: [], origin: 'https://localhost' }
  const answered: number[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    if (story.fault === 'silent') return
    const found = await judge(request, body, story)
    const status = typeof found === 'number' ? found : 201
    if (typeof found !== 'number') story.received.push(found)
    if (story.fault === 'cut') return void request.socket.destroy()
    answered.push(status)
    response.writeHead(status, {
      ...(status === 429 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}),
      ...(status === 307 ? { Location: 'https://localhost/elsewhere' } : {}),
      ...(status === 201 ? { Location: `${story.origin}/message/${randomBytes(8).toString('hex')}` } : {}),
    })
    response.end()
  }
  const server = createServer(tls, (request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received: story.received,
    answered,
    set: (fault) => {
      story.fault = fault
    },
    subscribe: (applicationServerKey) => {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      story.browsers.set(path, { privateKey: pair.getPrivateKey(), auth, applicationServerKey })
      return { endpoint: `${story.origin}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
