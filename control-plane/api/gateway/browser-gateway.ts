import * as z from 'zod'
import { CLOSE_CODES } from '#contracts/close-codes.ts'
import { GatewayClientMessage, PING_SECONDS, RoutedEvent, type GatewayMessage } from '#contracts/gateway/events.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { originKind } from '#contracts/socket-proof.ts'
import type { Context } from '../../platform/context.ts'
import type { BusEvent, EventBus } from '../../platform/event-bus.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { wordsOfReader } from '../../servers/access/words-of-reader.ts'
import { authenticate, hasEnded, type AuthenticateDeps, type Reader } from './authenticate.ts'
import { addressKey } from '#platform/address-key.ts'
import type { Socket, UpgradeAnswer, UpgradeRequest, UpgradeRoute } from '../../platform/sockets/socket.ts'
import { TokenBucket } from '#platform/token-bucket.ts'
import { readJsonText } from '#platform/json-text.ts'
import { TicketSigns } from './ticket-signs.ts'

/** Limits of the gateway (SPEC.md G2, G7; security case 137). */
export const GATEWAY_LIMITS = {
  socketsPerUser: OVERLOAD.gateway.sockets.perUser,
  socketsPerAddress: OVERLOAD.gateway.sockets.perAddress,
  maxFrameBytes: 1_024,
  bufferedBytes: 256 * 1024,
  pingMs: PING_SECONDS * 1_000,
  /** A socket is closed after this time and must reconnect, so that it does not outlive its session by long. */
  maxAgeMs: 60 * 60_000,
  messages: { rate: 5, seconds: 1, burst: 20 },
} as const
export type GatewayLimits = {
  readonly [Key in keyof typeof GATEWAY_LIMITS]: (typeof GATEWAY_LIMITS)[Key] extends number
    ? number
    : (typeof GATEWAY_LIMITS)[Key]
}

export type BrowserGatewayDeps = Pick<Context, 'clock' | 'log'> &
  AuthenticateDeps & {
    bus: EventBus
    metrics: Metrics
    /** The origins of the site's pages (SPEC.md G5). */
    origins: readonly string[]
    limits?: Partial<GatewayLimits>
  }

type Session = {
  readonly socket: Socket
  readonly reader: Reader
  readonly openedAtMs: number
  readonly bucket: TokenBucket
  /** Servers whose state was told since the socket opened; null once the states at its opening are told. */
  toldServers: Set<string> | null
  missedPings: number
  closed: boolean
}

export const SessionEnded = z.object({ userId: z.uuid(), sessionId: z.uuid().nullable() })

/** The realtime link of browsers: one socket for each tab, fed by the event bus. */
export class BrowserGateway {
  readonly #deps: BrowserGatewayDeps
  readonly #limits: GatewayLimits
  readonly #origins: ReadonlySet<string>
  readonly #sessions = new Map<string, Set<Session>>()
  readonly #addresses = new Map<string, number>()
  readonly #signs: TicketSigns
  readonly #timer: NodeJS.Timeout
  readonly #leave: (() => void)[]

  constructor(deps: BrowserGatewayDeps) {
    this.#deps = deps
    this.#limits = { ...GATEWAY_LIMITS, ...deps.limits }
    this.#origins = new Set(deps.origins)
    this.#signs = new TicketSigns(deps)
    this.#leave = [deps.bus.onEvent((event) => this.#onBus(event)), deps.bus.onGap(() => void this.#onGap())]
    this.#timer = setInterval(() => this.#ping(), this.#limits.pingMs)
  }

  get route(): UpgradeRoute {
    return { maxFrameBytes: this.#limits.maxFrameBytes, answer: (request) => this.#answer(request) }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const leave of this.#leave) leave()
    for (const session of this.#all()) this.#end(session, CLOSE_CODES.restart, 'restart')
    await this.#signs.settled()
  }

  #all(): Session[] {
    return [...this.#sessions.values()].flatMap((sessions) => [...sessions])
  }

  async #answer({ origin, address, query, proof }: UpgradeRequest): Promise<UpgradeAnswer> {
    const kind = originKind(origin, this.#origins)
    const token = proof ?? query.get('token')
    if (kind === 'foreign' || (kind === 'must prove' && token === null)) return { refuse: 403, reason: 'origin' }
    const key = addressKey(address)
    if ((this.#addresses.get(key) ?? 0) >= this.#limits.socketsPerAddress) return { refuse: 429, reason: 'address' }
    // Counted before the first await, so that a burst of handshakes cannot pass the check together.
    this.#count(key, 1)
    let accepted = false
    try {
      const result = await authenticate(token, this.#deps)
      // Without anything that the site signed there is no socket, and so no place to hold.
      if (!result.ok && (result.code === 'no-token' || result.code === 'invalid'))
        return { refuse: 401, reason: result.code }
      accepted = true
      return {
        abandoned: () => this.#count(key, -1),
        accept: (socket) => {
          socket.onClose(() => this.#count(key, -1))
          if (result.ok) this.#open(socket, result.reader)
          else if (result.code === 'keys-unavailable') socket.close(CLOSE_CODES.tryAgainLater, 'try again later')
          else socket.close(CLOSE_CODES.ended, result.code)
        },
      }
    } finally {
      if (!accepted) this.#count(key, -1)
    }
  }

  #count(key: string, change: number): void {
    const count = (this.#addresses.get(key) ?? 0) + change
    if (count > 0) this.#addresses.set(key, count)
    else this.#addresses.delete(key)
  }

  #open(socket: Socket, reader: Reader): void {
    const nowMs = this.#deps.clock.now()
    const sessions = this.#sessions.get(reader.userId) ?? new Set()
    if (sessions.size >= this.#limits.socketsPerUser)
      return socket.close(CLOSE_CODES.tooManySockets, 'too many sockets')
    const bucket = new TokenBucket(this.#limits.messages)
    const session: Session = {
      socket,
      reader,
      openedAtMs: nowMs,
      bucket,
      toldServers: new Set(),
      missedPings: 0,
      closed: false,
    }
    this.#sessions.set(reader.userId, sessions.add(session))
    this.#deps.metrics.sockets.inc({ kind: 'browser' })
    socket.onMessage((text) => this.#onMessage(session, text))
    socket.onPong(() => (session.missedPings = 0))
    socket.onClose(() => this.#forget(session))
    // The session may have ended between the check of its token and this line.
    void this.#recheck(session)
    void this.#tellStates(session)
  }

  /**
   * The page read its servers before its socket opened, and states may have changed in between (SPEC.md G9). An event
   * of the bus that arrives meanwhile is newer than the states that are read here.
   */
  async #tellStates(session: Session): Promise<void> {
    const { db, clock, log } = this.#deps
    try {
      const words = await wordsOfReader(db, { userId: session.reader.userId, nowMs: clock.now() })
      for (const data of words) {
        if (!session.toldServers?.has(data.sid)) this.#send(session, { event: 'server.state.change', data })
      }
    } catch (error) {
      log.warn({ reason: String(error) }, 'the states of servers could not be read for a new socket')
      this.#send(session, { event: 'resync', data: {} })
    }
    session.toldServers = null
  }

  #forget(session: Session): void {
    const sessions = this.#sessions.get(session.reader.userId)
    if (!sessions?.delete(session)) return
    if (sessions.size === 0) this.#sessions.delete(session.reader.userId)
    session.closed = true
    this.#signs.forget(session, sessions.size === 0)
    this.#deps.metrics.sockets.dec({ kind: 'browser' })
  }

  #end(session: Session, code: number, reason: string): void {
    if (session.closed) return
    this.#forget(session)
    session.socket.close(code, reason)
  }

  #send(session: Session, message: GatewayMessage): void {
    if (session.closed) return
    if (session.socket.bufferedBytes > this.#limits.bufferedBytes) {
      this.#deps.metrics.socketsSlow.inc()
      this.#end(session, CLOSE_CODES.slow, 'slow reader')
      // The close frame would wait behind bytes that the client does not read.
      setTimeout(() => session.socket.terminate(), 2_000).unref()
      return
    }
    if (message.event === 'server.state.change') session.toldServers?.add(message.data.sid)
    session.socket.send(JSON.stringify(message))
  }

  #onMessage(session: Session, text: string): void {
    const said = GatewayClientMessage.safeParse(readJsonText(text))
    const isFlood = !session.bucket.take(this.#deps.clock.now())
    if (!said.success || isFlood)
      return this.#end(session, CLOSE_CODES.protocol, said.success ? 'too many messages' : 'unknown message')
    session.missedPings = 0
    if (said.data.event === 'ticket.sign') this.#signs.give(session, said.data.data)
  }

  #ping(): void {
    const nowMs = this.#deps.clock.now()
    for (const session of this.#all()) {
      if (session.missedPings >= 2) {
        this.#end(session, CLOSE_CODES.restart, 'no answer')
        session.socket.terminate()
      } else if (nowMs - session.openedAtMs > this.#limits.maxAgeMs) {
        this.#end(session, CLOSE_CODES.restart, 'renew')
      } else {
        session.missedPings += 1
        this.#send(session, { event: 'ping', data: {} })
        session.socket.ping()
      }
    }
  }

  #onBus(event: BusEvent): void {
    if (event.topic === 'session-ended') {
      const ended = SessionEnded.safeParse(event.data)
      if (ended.success) this.#logOut(ended.data.userId, ended.data.sessionId ?? undefined)
    }
    if (event.topic !== 'browser-event') return
    const routed = RoutedEvent.safeParse(event.data)
    if (!routed.success) return this.#deps.log.error({}, 'a browser event of an unknown form')
    const { userIds, message, sessionId } = routed.data
    for (const userId of userIds) {
      if (message.event === 'logout') this.#logOut(userId, sessionId)
      else for (const session of this.#of(userId, sessionId)) this.#send(session, message)
    }
  }

  #of(userId: string, sessionId: string | undefined): Session[] {
    const sessions = [...(this.#sessions.get(userId) ?? [])]
    return sessionId ? sessions.filter((session) => session.reader.sessionId === sessionId) : sessions
  }

  #logOut(userId: string, sessionId: string | undefined): void {
    for (const session of this.#of(userId, sessionId)) {
      this.#send(session, { event: 'logout', data: {} })
      this.#end(session, CLOSE_CODES.ended, 'session ended')
    }
  }

  /** Events may have been missed: every page refetches, and sockets of sessions that ended meanwhile are closed. */
  async #onGap(): Promise<void> {
    for (const session of this.#all()) {
      this.#send(session, { event: 'resync', data: {} })
    }
    for (const session of this.#all()) await this.#recheck(session)
  }

  async #recheck(session: Session): Promise<void> {
    try {
      if (!(await hasEnded(this.#deps.db, session.reader))) return
      this.#send(session, { event: 'logout', data: {} })
      this.#end(session, CLOSE_CODES.ended, 'session ended')
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, 'a session could not be checked')
    }
  }
}
