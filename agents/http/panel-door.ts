import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES } from '#contracts/close-codes.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { StatsSampler } from '../stats/sampler.ts'
import { addressKey } from '#platform/address-key.ts'
import { PanelSession, type PanelDeps } from './panel-session.ts'
import type { Revocation, Revocations } from './revocations.ts'
import type { Upgrade } from './websocket.ts'

const PATH = /^\/servers\/([0-9a-f-]{36})\/ws$/
const MAX_WITHOUT_AUTH = 200
const MAX_WITHOUT_AUTH_PER_ADDRESS = 30
/** A browser may connect before the command with its new server arrives: the handshake waits for it. */
const KNOWN_WITHIN_MS = 10_000
const LOOK_AGAIN_MS = 200
const MAX_HANDSHAKES_WAITING = 50
const MAX_HANDSHAKES_WAITING_PER_ADDRESS = 10

export interface DoorDeps extends Pick<PanelDeps, 'clock' | 'timers' | 'tokens' | 'activity'> {
  readonly upgrade: Upgrade
  readonly sampler: StatsSampler
  readonly revocations: Revocations
  find(serverId: string): ManagedServer | undefined
}

interface Handshake {
  readonly request: IncomingMessage
  readonly stream: Duplex
  readonly head: Buffer
}

interface Room {
  readonly sessions: Set<PanelSession>
  readonly cancel: () => void
}

/** The connection closes with the response: a peer that never closes its half would keep it for ever. */
const refuse = (stream: Duplex, status: string): void => {
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Admits browsers: checks path and origin at the handshake, enforces the limits, and distributes the statistics. */
export class PanelDoor {
  readonly #deps: DoorDeps
  readonly #rooms = new Map<string, Room>()
  /** Every session with its address. */
  readonly #all = new Map<PanelSession, string>()
  readonly #waiting = new Set<PanelSession>()
  readonly #handshakes = new Map<Duplex, string>()
  #origins = new Set<string>()

  constructor(deps: DoorDeps) {
    this.#deps = deps
  }

  get sockets(): number {
    return this.#all.size
  }

  /** Only pages of these origins may open a socket. */
  learnOrigins(origins: readonly string[]): void {
    this.#origins = new Set(origins)
  }

  /** Compared as a whole: a look-alike, `null` and a missing origin are refused. */
  knowsOrigin(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin)
  }

  /** Closes the revoked sockets, and refuses their tokens until all have expired. */
  revoke(revocation: Revocation): void {
    this.#deps.revocations.add(revocation)
    for (const session of this.#all.keys()) {
      if (session.claims !== undefined && this.#deps.revocations.covers(session.claims))
        session.end(CLOSE_CODES.ended, 'revoked')
    }
  }

  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const [path = ''] = (request.url ?? '').split('?')
    const serverId = PATH.exec(path)?.[1]
    if (serverId === undefined) return refuse(stream, '404 Not Found')
    if (!this.knowsOrigin(request.headers.origin)) return refuse(stream, '403 Forbidden')
    const server = this.#deps.find(serverId)
    if (server === undefined) return this.#awaitServer(serverId, { request, stream, head })
    return this.#open(server, { request, stream, head })
  }

  #open(server: ManagedServer, { request, stream, head }: Handshake): void {
    const address = addressKey(request.socket.remoteAddress ?? '')
    if (!this.#hasRoomFor(address)) return refuse(stream, '503 Service Unavailable')
    return this.#deps.upgrade({ request, stream, head }, (socket) => {
      const session = new PanelSession(server, socket, this.#sessionDeps())
      this.#all.set(session, address)
      this.#waiting.add(session)
      return session
    })
  }

  /** Responds only when the server is known or the time is up; without a free place to wait it refuses at once. */
  #awaitServer(serverId: string, handshake: Handshake): void {
    const { stream, request } = handshake
    const address = addressKey(request.socket.remoteAddress ?? '')
    const ofAddress = [...this.#handshakes.values()].filter((other) => other === address).length
    if (this.#handshakes.size >= MAX_HANDSHAKES_WAITING || ofAddress >= MAX_HANDSHAKES_WAITING_PER_ADDRESS)
      return refuse(stream, '404 Not Found')
    this.#handshakes.set(stream, address)
    const { timers } = this.#deps
    const settle = (): void => {
      cancelLook()
      cancelEnd()
      stream.off('close', settle)
      stream.off('error', settle)
      this.#handshakes.delete(stream)
    }
    const cancelLook = timers.every(LOOK_AGAIN_MS, () => {
      const server = this.#deps.find(serverId)
      if (server === undefined) return
      settle()
      this.#open(server, handshake)
    })
    const cancelEnd = timers.after(KNOWN_WITHIN_MS, () => {
      settle()
      refuse(stream, '404 Not Found')
    })
    stream.on('close', settle)
    stream.on('error', settle)
  }

  /** Closes all sockets: the agent restarts and clients may reconnect. */
  drain(): void {
    for (const session of this.#all.keys()) session.end(CLOSE_CODES.restart, 'the agent starts again')
  }

  /** Case 137: limits per address and for all unauthenticated sockets. */
  #hasRoomFor(address: string): boolean {
    const ofAddress = [...this.#all].filter(([, other]) => other === address).map(([session]) => session)
    if (ofAddress.length >= PANEL_LIMITS.socketsPerAddress || this.#waiting.size >= MAX_WITHOUT_AUTH) return false
    return ofAddress.filter((session) => this.#waiting.has(session)).length < MAX_WITHOUT_AUTH_PER_ADDRESS
  }

  #sessionDeps(): PanelDeps {
    const { clock, timers, tokens, activity } = this.#deps
    return {
      clock,
      timers,
      tokens,
      activity,
      isRevoked: (claims) => this.#deps.revocations.covers(claims),
      isPresent: (server) => this.#deps.find(server.core.id) === server,
      admit: (session) => this.#admit(session),
      dismiss: (session) => this.#dismiss(session),
      latestStats: async (server) => JSON.stringify(await this.#deps.sampler.latest(server.core)),
      statsHistory: (server, request) => this.#deps.sampler.history(server.core, request),
    }
  }

  #admit(session: PanelSession): boolean {
    this.#waiting.delete(session)
    const present = [...(this.#rooms.get(session.server.core.id)?.sessions ?? [])]
    const ofUser = present.filter((other) => other.claims?.sub === session.claims?.sub).length
    if (present.length >= PANEL_LIMITS.socketsPerServer || ofUser >= PANEL_LIMITS.socketsPerUserAndServer) return false
    this.#room(session.server).sessions.add(session)
    return true
  }

  #dismiss(session: PanelSession): void {
    this.#all.delete(session)
    this.#waiting.delete(session)
    const { id } = session.server.core
    const room = this.#rooms.get(id)
    if (room === undefined) return
    room.sessions.delete(session)
    if (room.sessions.size > 0) return
    room.cancel()
    this.#rooms.delete(id)
  }

  #room(server: ManagedServer): Room {
    const { id } = server.core
    const known = this.#rooms.get(id)
    if (known !== undefined) return known
    const sessions = new Set<PanelSession>()
    const cancel = this.#deps.sampler.watch(server.core, (json) => {
      for (const session of sessions) session.stats(json)
    })
    const room: Room = { sessions, cancel }
    this.#rooms.set(id, room)
    return room
  }
}
