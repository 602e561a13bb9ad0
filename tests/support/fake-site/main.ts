import { createServer, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { PanelServerMessage } from '#contracts/panel/messages.ts'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import { createFakeConsole } from './console.ts'
import type { FakeConsole } from './console.ts'
import { answer, createFakeState } from './routes.ts'

/**
 * A site without a backend, for viewing screens: `/api` and the sockets from memory, everything else from a running
 * Next. Start: `tsx tests/support/fake-site/main.ts <port> <next port> [full|new|down]`.
 */
const [port = '3100', nextPort = '3101', scenario = 'full'] = process.argv.slice(2)
const state = createFakeState(Date.now(), scenario)
const gateway = new Set<WebSocket>()
const consoles = new Map<string, FakeConsole>()

const tell = (message: GatewayMessage) => {
  for (const socket of gateway) socket.send(JSON.stringify(message))
}
const consoleOf = (id: string): FakeConsole => {
  const known = consoles.get(id)
  if (known) return known
  const made = createFakeConsole(() => Date.now())
  consoles.set(id, made)
  return made
}
const settle = { starting: 'running', stopping: 'offline' } as const

state.onState = (sid, word) => {
  tell({ event: 'server.state.change', data: { sid, state: word } })
  consoleOf(sid).broadcast({ event: 'status', args: [word] })
  if (word !== 'starting' && word !== 'stopping') return
  setTimeout(() => {
    const server = state.servers.find((candidate) => candidate.id === sid)
    if (!server || server.status !== word) return
    server.status = settle[word]
    state.onState(sid, server.status)
  }, 2_500)
}

const readBody = async (incoming: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

const isPrefixed = (path: string) => /^\/(hu|en|de)(\/|$)/.test(path)
const isPage = (path: string) => !path.startsWith('/_next') && !/\.[a-z0-9]+$/i.test(path.split('?')[0] ?? '')

const localeOf = (incoming: IncomingMessage) =>
  /(?:^|;\s*)i18n=(hu|en|de)/.exec(incoming.headers.cookie ?? '')?.[1] ??
  /^(hu|en|de)/.exec(incoming.headers['accept-language'] ?? '')?.[1] ??
  'en'

const proxy = (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const path = incoming.url ?? '/'
  const to = isPage(path) && !isPrefixed(path) ? `/${localeOf(incoming)}${path}` : path
  const upstream = httpRequest(
    { host: '127.0.0.1', port: Number(nextPort), path: to, method: incoming.method, headers: incoming.headers },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    },
  )
  upstream.on('error', () => outgoing.writeHead(502).end())
  incoming.pipe(upstream)
}

/** Next's own socket: a page in development waits for it. */
const tunnel = (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
  const upstream = connect(Number(nextPort), '127.0.0.1', () => {
    const headers = incoming.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1] ?? ''}`] : [],
    )
    upstream.write([`GET ${incoming.url ?? '/'} HTTP/1.1`, ...headers, '', ''].join('\r\n'))
    upstream.write(head)
    client.pipe(upstream).pipe(client)
  })
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
}

const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const path = (incoming.url ?? '/').split('?')[0] ?? '/'
  if (!path.startsWith('/api/')) return proxy(incoming, outgoing)
  if (path === '/api/test/cut') {
    for (const fake of consoles.values()) {
      fake.dropNext(1_204)
      fake.cut(1012)
    }
    return outgoing.end('{}')
  }
  const key = incoming.headers['idempotency-key']
  const result = answer(state, {
    method: incoming.method ?? 'GET',
    path,
    body: await readBody(incoming),
    key: typeof key === 'string' ? key : undefined,
    nowMs: Date.now(),
  })
  outgoing.writeHead(result?.status ?? 404, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  outgoing.end(JSON.stringify(result?.body ?? { error: { code: 'NOT_FOUND', message: 'Nincs ilyen.' } }))
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => outgoing.writeHead(500).end())
})
const sockets = new WebSocketServer({ noServer: true })

/** The node's report of a server beside its lines: a crash with its cause. */
const greetingOf = (id: string): PanelServerMessage[] => {
  const status = state.servers.find((candidate) => candidate.id === id)?.status
  if (status === undefined) return []
  const end = status === 'crashed' ? { code: 137, signal: null, oom: true } : null
  return [{ event: 'status', args: [status, end] }]
}

server.on('upgrade', (incoming, socket, head) => {
  const path = (incoming.url ?? '').split('?')[0] ?? ''
  if (path.startsWith('/_next/')) return tunnel(incoming, socket, head)
  const id = /^\/servers\/([^/]+)\/ws$/.exec(path)?.[1]
  if (id === undefined && path !== '/api/ws/gateway') return socket.destroy()
  sockets.handleUpgrade(incoming, socket, head, (opened) => {
    if (id !== undefined) return consoleOf(id).attach(opened, greetingOf(id))
    gateway.add(opened)
    opened.on('close', () => gateway.delete(opened))
  })
})

let looks = 0
setInterval(() => {
  looks += 1
  for (const [id, fake] of consoles) {
    const server = state.servers.find((candidate) => candidate.id === id)
    if (server?.status === 'installing') fake.print('i', `npm install: ${looks} packages`)
    if (server?.status !== 'running') continue
    const stats = {
      state: 'running',
      cpu_absolute: 120 + 40 * Math.sin(looks / 3),
      memory_bytes: 5.2e9 + 2e8 * Math.sin(looks / 7),
      memory_limit_bytes: 8_192 * 1_048_576,
      disk_bytes: 11.2e9,
      disk_limit_bytes: 40_960 * 1_048_576,
      network: { rx_bytes: looks * 40_000, tx_bytes: looks * 90_000 },
      uptime: 3 * 86_400_000 + 4 * 3_600_000 + looks * 1_000,
    }
    fake.broadcast({ event: 'stats', args: [JSON.stringify(stats)] })
  }
}, 1_000)
setInterval(() => tell({ event: 'ping', data: {} }), 20_000)

server.listen(Number(port), '127.0.0.1')
