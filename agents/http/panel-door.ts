import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES } from '#contracts/close-codes.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { originKind, proofOf } from '#contracts/socket-proof.ts'
import { refuseHandshakes } from '#platform/refuse-handshake.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { StatsSampler } from '../stats/sampler.ts'
import { addressKey } from '#platform/address-key.ts'
import { ArrivingServers } from './arriving-servers.ts'
import { DoorPlaces, type Arrival } from './door-places.ts'
import { PanelSession, type PanelDeps } from './panel-session.ts'
import type { Revocation, Revocations } from './revocations.ts'
import type { Upgrade } from './websocket.ts'

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
  readonly arrival: Arrival
}

const addressOf = (request: IncomingMessage): string => addressKey(request.socket.remoteAddress ?? '')

interface Room {
  readonly sessions: Set<PanelSession>
  readonly cancel: () => void
}

const refuse = refuseHandshakes(OVERLOAD)

/**
 * Admits clients: checks path, origin and proof at the handshake, enforces the limits, and distributes the statistics.
 */
export class PanelDoor {
  readonly #deps: DoorDeps
  readonly #rooms = new Map<string, Room>()
  readonly #places = new DoorPlaces<PanelSession>()
  readonly #arriving: ArrivingServers<ManagedServer>
  #origins = new Set<string>()

  constructor(deps: DoorDeps) {
    this.#deps = deps
    this.#arriving = new ArrivingServers(deps)
  }

  get sockets(): number {
    return this.#places.size
  }

  /** The origins of the site's pages. */
  learnOrigins(origins: readonly string[]): void {
    this.#origins = new Set(origins)
  }

  /** Whether pages of this origin may read responses: those of the site and of the native wrapper. */
  knowsOrigin(origin: string | undefined): origin is string {
    return origin !== undefined && originKind(origin, this.#origins) !== 'foreign'
  }

  /** Closes the revoked sockets, and refuses their tokens until all have expired. */
  revoke(revocation: Revocation): void {
    this.#deps.revocations.add(revocation)
    // The session goes on when only a share was changed: its page asks for the present permissions, or learns that it has none.
    const isShare = revocation.serverId !== null && revocation.userId !== null
    const code = isShare ? CLOSE_CODES.tryAgainLater : CLOSE_CODES.ended
    for (const session of this.#places.holders()) {
      if (session.claims !== undefined && this.#deps.revocations.covers(session.claims)) session.end(code, 'revoked')
    }
  }

  /** Admits the handshake of a server's socket, or refuses it. */
  handleUpgrade(serverId: string, handshake: Omit<Handshake, 'arrival'>): void {
    const { request, stream } = handshake
    const kind = originKind(request.headers.origin, this.#origins)
    const token = proofOf(request.headers)
    if (kind === 'foreign' || (kind === 'must prove' && token === undefined)) return refuse(stream, 403)
    if (token !== undefined) return void this.#prove(serverId, token, handshake)
    return this.#enter(serverId, { ...handshake, arrival: { address: addressOf(request), userId: undefined } })
  }

  /** Checks the token of the handshake, so that a client without a valid one gets no socket. */
  async #prove(serverId: string, token: string, handshake: Omit<Handshake, 'arrival'>): Promise<void> {
    const { stream, request } = handshake
    const reading = await this.#deps.tokens.read(token, serverId)
    if (stream.destroyed) return undefined
    if (!reading.ok || this.#deps.revocations.covers(reading.claims)) return refuse(stream, 401)
    const arrival = { address: addressOf(request), userId: reading.claims.sub }
    return this.#enter(serverId, { ...handshake, arrival })
  }

  #enter(serverId: string, handshake: Handshake): void {
    const server = this.#deps.find(serverId)
    if (server !== undefined) return this.#open(server, handshake)
    const { stream } = handshake
    return this.#arriving.await(serverId, handshake, (arrived) =>
      arrived === undefined ? refuse(stream, 404) : this.#open(arrived, handshake),
    )
  }

  #open(server: ManagedServer, { request, stream, head, arrival }: Handshake): void {
    if (!this.#places.hasRoomFor(arrival)) return refuse(stream, 503)
    return this.#deps.upgrade({ request, stream, head }, (socket) => {
      const session = new PanelSession(server, socket, this.#sessionDeps())
      this.#places.take(session, arrival)
      return session
    })
  }

  /** Closes all sockets: the agent restarts and clients may reconnect. */
  drain(): void {
    for (const session of this.#places.holders()) session.end(CLOSE_CODES.restart, 'the agent starts again')
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
    this.#places.spoke(session)
    const present = [...(this.#rooms.get(session.server.core.id)?.sessions ?? [])]
    const ofUser = present.filter((other) => other.claims?.sub === session.claims?.sub).length
    const { perServer, perUserAndServer } = OVERLOAD.agent.sockets
    if (present.length >= perServer || ofUser >= perUserAndServer) return false
    this.#room(session.server).sessions.add(session)
    return true
  }

  #dismiss(session: PanelSession): void {
    this.#places.leave(session)
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
