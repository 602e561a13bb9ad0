import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { OVERLOAD } from '#contracts/overload.ts'
import { chosenProtocol, proofOf } from '#contracts/socket-proof.ts'
import type { Logger } from '#platform/logger.ts'
import type { ConnectionShares } from '#platform/connection-shares.ts'
import { refuseHandshakes } from '#platform/refuse-handshake.ts'
import type { Metrics } from '../metrics.ts'
import type { Socket, UpgradeAnswer, UpgradeRequest, UpgradeRoute } from './socket.ts'

export type DoorOptions = {
  readonly routes: Readonly<Record<string, UpgradeRoute>>
  readonly addressOf: (request: IncomingMessage) => string
  readonly log: Logger
  readonly metrics: Metrics
  readonly figures?: DoorFigures
  /** The shares of the server's connections. */
  readonly shares?: ConnectionShares
}

/** Tests shorten the wait for a peer that does not close. */
export type DoorFigures = { readonly refusedForMs: number; readonly retryAfterSeconds: number }

const textOf = (data: RawData): string =>
  Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8')

function socketOf(ws: WebSocket, address: string): Socket {
  // An error is always followed by `close`, which the session handles.
  ws.on('error', () => {})
  return {
    address,
    send: (text) => {
      if (ws.readyState === ws.OPEN) ws.send(text)
    },
    get bufferedBytes() {
      return ws.bufferedAmount
    },
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    onMessage: (listener) =>
      void ws.on('message', (data, isBinary) => {
        if (isBinary) ws.close(1003, 'text only')
        else listener(textOf(data))
      }),
    onPong: (listener) => void ws.on('pong', listener),
    ping: () => {
      if (ws.readyState === ws.OPEN) ws.ping()
    },
    onClose: (listener) => void ws.on('close', listener),
  }
}

function requestOf(request: IncomingMessage, address: string): UpgradeRequest {
  const url = new URL(request.url ?? '/', 'http://gateway.invalid')
  const { origin } = request.headers
  return { path: url.pathname, query: url.searchParams, origin, proof: proofOf(request.headers), address }
}

/** Handles upgrade requests on a server: the only place that knows the WebSocket library. */
export function openWebSocketDoor(server: Server, options: DoorOptions): { close(): Promise<void> } {
  const open = new Set<WebSocket>()
  const servers = new Map<string, WebSocketServer>()
  const figures = options.figures ?? OVERLOAD
  const refuse = refuseHandshakes(figures)
  for (const [path, route] of Object.entries(options.routes)) {
    // No compression: a small frame must not become a large one (security case 134).
    const settings = { noServer: true, maxPayload: route.maxFrameBytes, perMessageDeflate: false }
    // A client that does not answer a close frame keeps its connection no longer than this; the types lack the option.
    const closing = { closeTimeout: figures.refusedForMs }
    servers.set(path, new WebSocketServer({ ...settings, ...closing, handleProtocols: chosenProtocol }))
  }
  const answer = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const facts = requestOf(request, options.addressOf(request))
    const [route, sockets] = [options.routes[facts.path], servers.get(facts.path)]
    if (options.shares?.isOver(request.socket)) return refuse(socket, 503)
    if (!route || !sockets) return refuse(socket, 404)
    const result: UpgradeAnswer = await route.answer(facts)
    if ('refuse' in result) {
      options.metrics.socketsRefused.inc({ reason: result.reason })
      options.log.info({ path: facts.path, address: facts.address, reason: result.reason }, 'a handshake was refused')
      return refuse(socket, result.refuse)
    }
    if (socket.destroyed) return result.abandoned?.()
    let upgraded = false
    socket.once('close', () => {
      if (!upgraded) result.abandoned?.()
    })
    sockets.handleUpgrade(request, socket, head, (ws) => {
      upgraded = true
      open.add(ws)
      ws.on('close', () => open.delete(ws))
      result.accept(socketOf(ws, facts.address))
    })
    return undefined
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {})
    answer(request, socket, head).catch((error: Error) => {
      options.log.error({ reason: error.message }, 'a handshake failed')
      refuse(socket, 503)
    })
  }
  server.on('upgrade', onUpgrade)
  return {
    close: async () => {
      server.off('upgrade', onUpgrade)
      for (const ws of open) ws.close(1012, 'restart')
      await Promise.race([
        Promise.all([...open].map((ws) => new Promise((done) => ws.once('close', done)))),
        new Promise((done) => setTimeout(done, 2_000).unref()),
      ])
      for (const ws of open) ws.terminate()
    },
  }
}
