import { once } from 'node:events'
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The program that the tests start in a network namespace: strangers who attack a listener from many addresses. */

type Target = {
  readonly host: string
  readonly port: number
  /** With TLS, the name in the handshake; the certificate is the test's own. */
  readonly serverName?: string
  /** The `Host` header. */
  readonly authority: string
  readonly addresses: readonly string[]
}
export type Call = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
export type Attack =
  /** Each address repeats the calls, so many at once. */
  | { readonly kind: 'calls'; readonly each: number; readonly atOnce: number; readonly calls: readonly Call[] }
  /** Each address sends heads and one byte of a body of fifty, and waits. */
  | { readonly kind: 'half-bodies'; readonly each: number; readonly paths: readonly string[]; readonly origin: string }
  /** Each address asks for so many WebSockets, never answers, and asks again as soon as one is closed. */
  | { readonly kind: 'sockets'; readonly each: number; readonly path: string; readonly origin: string }
  /** The first address reads these a few bytes at a time. */
  | { readonly kind: 'slow-reads'; readonly calls: readonly Call[] }
export type Plan = Target & { readonly attack: Attack }

/** The result of an attack: answers by status and, in `codes`, by the code of an error; connections that broke without one. */
export type Outcome = {
  readonly statuses: Record<string, number>
  readonly codes: Record<string, number>
  readonly broken: number
  /** Answers of 503 that did not say when to come back. */
  readonly silent503: number
  readonly reopened: number
}

/** Nothing here outlives the test that forgot to end it. */
const LONGEST_MS = 300_000

const outcome = { statuses: {}, codes: {}, broken: 0, silent503: 0, reopened: 0 } as {
  -readonly [Key in keyof Outcome]: Outcome[Key]
}
const count = (counts: Record<string, number>, key: string) => void (counts[key] = (counts[key] ?? 0) + 1)

const errorCode = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code
  } catch {
    return undefined
  }
}

let answered = 0

async function read(answer: IncomingMessage): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  count(outcome.statuses, String(answer.statusCode))
  answered += 1
  if (answered === 1) process.stdout.write('begun\n')
  const code = errorCode(Buffer.concat(pieces).toString())
  if (code !== undefined) count(outcome.codes, code)
  if (answer.statusCode === 503 && answer.headers['retry-after'] === undefined) outcome.silent503 += 1
}

const optionsOf = ({ host, port, serverName, authority }: Target, { method, path, headers, body }: Call) => ({
  host,
  port,
  method,
  path,
  rejectUnauthorized: false,
  ...(serverName === undefined ? {} : { servername: serverName }),
  headers: {
    host: authority,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  },
})

function ask(plan: Plan, call: Call, options: RequestOptions): Promise<IncomingMessage> {
  const send = plan.serverName === undefined ? plainRequest : request
  return new Promise((done, fail) => {
    const outgoing = send({ ...optionsOf(plan, call), ...options })
    outgoing.once('response', done).once('error', fail)
    outgoing.end(call.body)
  })
}

async function call(plan: Plan, { each, atOnce, calls }: Extract<Attack, { kind: 'calls' }>): Promise<void> {
  const fromOne = async (localAddress: string) => {
    const kept = { keepAlive: true, maxSockets: atOnce, localAddress }
    const agent = plan.serverName === undefined ? new PlainAgent(kept) : new Agent(kept)
    let left = each
    const callers = Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1
        const next = calls[left % calls.length] as Call
        await ask(plan, next, { agent, localAddress })
          .then(read)
          .catch(() => (outcome.broken += 1))
      }
    })
    await Promise.all(callers)
    agent.destroy()
  }
  await Promise.all(plan.addresses.map(fromOne))
}

function open({ host, port, serverName }: Plan, localAddress: string): Socket {
  const options = { host, port, localAddress }
  return serverName === undefined
    ? connect(options)
    : connectTls({ ...options, servername: serverName, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
}

const statusIn = (bytes: Buffer): string => bytes.toString('latin1').split(' ')[1] ?? ''

async function sendHalves(plan: Plan, attack: Extract<Attack, { kind: 'half-bodies' }>): Promise<void> {
  const sends = plan.addresses.flatMap((address) =>
    Array.from({ length: attack.each }, async (_, at) => {
      const socket = open(plan, address)
      socket.on('error', () => {}).resume()
      await once(socket, plan.serverName === undefined ? 'connect' : 'secureConnect')
      const path = attack.paths[at % attack.paths.length]
      const head = [`POST ${path} HTTP/1.1`, `host: ${plan.authority}`, `origin: ${attack.origin}`]
      socket.write(`${[...head, 'content-type: application/json', 'content-length: 50'].join('\r\n')}\r\n\r\n{`)
    }),
  )
  await Promise.all(sends)
}

function keepSockets(plan: Plan, { each, path, origin }: Extract<Attack, { kind: 'sockets' }>): void {
  const keepOne = (address: string) => {
    const socket = open(plan, address)
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${plan.authority}`,
      `Origin: ${origin}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
    ]
    socket
      .on('error', () => {})
      .once('close', () => {
        outcome.reopened += 1
        setImmediate(() => keepOne(address))
      })
    socket.once('data', (bytes: Buffer) => count(outcome.statuses, statusIn(bytes)))
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  }
  for (const address of plan.addresses) for (let at = 0; at < each; at += 1) keepOne(address)
}

/** A kilobyte a second of each. */
async function readSlowly(plan: Plan, { calls }: Extract<Attack, { kind: 'slow-reads' }>): Promise<void> {
  const localAddress = plan.addresses[0] as string
  const begin = async (each: Call) => {
    const answer = await ask(plan, each, { agent: false, localAddress })
    count(outcome.statuses, String(answer.statusCode))
    answer.once('close', () => (outcome.broken += 1)).on('error', () => {})
    setInterval(() => answer.read(1_024), 1_000)
  }
  await Promise.all(calls.map(begin))
}

const HELD = { 'half-bodies': sendHalves, sockets: keepSockets, 'slow-reads': readSlowly } as const

async function perform(plan: Plan): Promise<void> {
  const { attack } = plan
  const report = () => process.stdout.write(`outcome ${JSON.stringify(outcome)}\n`, () => process.exit(0))
  setTimeout(() => process.exit(1), LONGEST_MS)
  process.once('SIGTERM', report)
  if (attack.kind === 'calls') {
    await call(plan, attack)
    report()
    return
  }
  await HELD[attack.kind](plan, attack as never)
  process.stdout.write('begun\n')
}

await perform(JSON.parse(process.argv[2] ?? '') as Plan)
