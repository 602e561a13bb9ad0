import { CLOSE_CODES } from '#contracts/close-codes.ts'
import {
  PANEL_LIMITS,
  PanelClientMessage,
  type ConsoleLine as WireLine,
  type HistoryRequest,
  type PanelServerMessage,
} from '#contracts/panel/messages.ts'
import type { StatsHistory, StatsHistoryRequest } from '#contracts/panel/stats-history.ts'
import { PERMISSION_OF_MESSAGE, type Permission } from '#contracts/panel/permissions.ts'
import type { ConsoleTokenClaims } from '#contracts/panel/token.ts'
import type { ConsoleLine } from '../console/console-line.ts'
import type { NoteLine } from '../console/notes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Timers } from '../platform/timers.ts'
import { restartDelayMs } from '../servers/crash-policy.ts'
import type { ManagedServer, PowerAction } from '../servers/managed-server.ts'
import type { ServerListener } from '../servers/server-core.ts'
import type { ConsoleTokens } from './console-token.ts'
import { EventLimits } from './event-limits.ts'
import type { PanelSocket, PanelSocketListener } from './websocket.ts'

/** The number of lines sent first to a viewer without a position. */
const FIRST_LINES = 500
const EXPIRING_BEFORE_MS = 60_000
const CLOSE_AFTER_EXPIRY_MS = 10_000
/** Refused messages minus accepted ones after which the socket is closed. */
const MAX_REFUSED = 50
/** A peer that does not answer the close frame is dropped; a slow one has this long to read it. */
const DROP_AFTER_MS = 5_000

/** A person's act in the panel, and their address as the control plane saw it when it made their token. */
export type PersonActivity = {
  readonly serverId: string
  readonly userId: string
  readonly address: string
  readonly way: 'panel' | 'sftp' | 'api'
  readonly type: string
  readonly detail: string
}

const doneBy = ({ sub: userId, address, way }: ConsoleTokenClaims) => ({
  userId,
  address,
  way: way ?? ('panel' as const),
})

export interface PanelDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly tokens: Pick<ConsoleTokens, 'read'>
  /** Whether this token has been revoked. */
  isRevoked(claims: ConsoleTokenClaims): boolean
  /** False once the server was deleted. */
  isPresent(server: ManagedServer): boolean
  /** Registers the session, or returns false when there are too many. */
  admit(session: PanelSession): boolean
  dismiss(session: PanelSession): void
  latestStats(server: ManagedServer): Promise<string>
  statsHistory(server: ManagedServer, request: StatsHistoryRequest): StatsHistory
  activity(entry: PersonActivity): void
}

const onWire = ({ seq, timeMs, stream, text, note }: ConsoleLine): WireLine =>
  note === undefined ? [seq, timeMs, stream, text] : [seq, timeMs, stream, text, note]

const encodeOutput = (lines: readonly ConsoleLine[]): Buffer =>
  Buffer.from(JSON.stringify({ event: 'console output', args: [lines.map(onWire)] }))

/** One browser's socket to one server, from its first message to its end (rules P1 to P12). */
export class PanelSession implements PanelSocketListener, ServerListener {
  readonly server: ManagedServer
  readonly #socket: PanelSocket
  readonly #deps: PanelDeps
  readonly #limits: EventLimits
  #claims: ConsoleTokenClaims | undefined
  #timers: (() => void)[] = []
  #stopConsole: () => void = () => {}
  #cancelReaper: () => void
  readonly #cancelBeat: () => void
  #alive = true
  #stuckBytes = 0
  #toldThrottled = false
  #isEnded = false

  constructor(server: ManagedServer, socket: PanelSocket, deps: PanelDeps) {
    this.server = server
    this.#socket = socket
    this.#deps = deps
    this.#limits = new EventLimits(deps.clock)
    this.#cancelReaper = deps.timers.after(PANEL_LIMITS.authWithinMs, () => this.end(CLOSE_CODES.ended, 'no auth'))
    this.#cancelBeat = deps.timers.every(PANEL_LIMITS.slowForMs, () => this.#beat())
  }

  get claims(): ConsoleTokenClaims | undefined {
    return this.#claims
  }

  /** Later messages are ignored, whether or not the peer answers the close frame. */
  end(code: number, reason: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#stopConsole()
    this.#socket.close(code, reason)
    this.#timers.push(this.#deps.timers.after(DROP_AFTER_MS, () => this.#socket.drop()))
  }

  received(text: string): void {
    if (this.#isEnded) return
    const message = this.#parse(text)
    if (message === undefined) {
      this.end(CLOSE_CODES.protocol, 'unknown message')
      return
    }
    const over = this.#limits.over(message.event)
    if (over !== undefined) {
      if (this.#claims !== undefined && !this.#toldThrottled) this.#send({ event: 'throttled', args: [over] })
      this.#toldThrottled = true
      if (this.#claims === undefined || this.#limits.refused > MAX_REFUSED) this.end(CLOSE_CODES.protocol, 'flood')
      return
    }
    if (this.#limits.refused === 0) this.#toldThrottled = false
    if (message.event === 'auth') {
      void this.#authenticate(message.args[0], message.args[1])
      return
    }
    if (this.#claims === undefined) {
      this.end(CLOSE_CODES.ended, 'auth first')
      return
    }
    if (this.#claims.exp * 1_000 <= this.#deps.clock.now()) {
      this.#send({ event: 'jwt error', args: ['The token has ended.'] })
      return
    }
    void this.#handle(message, this.#claims)
  }

  pinged(): boolean {
    if (this.#limits.overControl()) this.end(CLOSE_CODES.protocol, 'flood')
    return !this.#isEnded
  }

  ponged(): void {
    this.#alive = true
    if (this.#limits.overControl()) this.end(CLOSE_CODES.protocol, 'flood')
  }

  closed(): void {
    this.#cancelReaper()
    this.#cancelBeat()
    this.#stopConsole()
    for (const cancel of this.#timers) cancel()
    this.server.core.listeners.delete(this)
    this.#deps.dismiss(this)
  }

  status(state: string): void {
    const { exit, restartAtMs } = this.server.core.record
    const isUnasked = state === 'crashed' || state === 'startup_failed'
    if (!isUnasked || exit === null) return this.#send({ event: 'status', args: [state] })
    const restartInMs = restartAtMs === null ? null : restartDelayMs(restartAtMs, this.#deps.clock.now())
    return this.#send({ event: 'status', args: [state, { ...exit, restartInMs }] })
  }

  installStarted(): void {
    this.#send({ event: 'install started' })
  }

  installCompleted(ok: boolean): void {
    this.#send({ event: 'install completed', args: [ok] })
  }

  message({ text, note }: NoteLine): void {
    this.#send({ event: 'daemon message', args: note === undefined ? [text] : [text, note] })
  }

  suspended(): void {
    this.end(CLOSE_CODES.suspended, 'suspended')
  }

  /** The client reconnects, and then learns where the server is. */
  moved(): void {
    this.end(CLOSE_CODES.restart, 'moved')
  }

  deleted(): void {
    this.#send({ event: 'deleted' })
    this.end(CLOSE_CODES.ended, 'deleted')
  }

  /** Statistics are skipped for a slow reader: the next second brings newer ones. */
  stats(json: string): void {
    if (!this.#isBehind) this.#send({ event: 'stats', args: [json] })
  }

  #parse(text: string): PanelClientMessage | undefined {
    try {
      const parsed = PanelClientMessage.safeParse(JSON.parse(text))
      return parsed.success ? parsed.data : undefined
    } catch {
      return undefined
    }
  }

  #send(message: PanelServerMessage): void {
    if (this.#claims !== undefined && !this.#isEnded) this.#socket.send(JSON.stringify(message))
  }

  async #authenticate(token: string, afterSeq: number | undefined): Promise<void> {
    const { core } = this.server
    const reading = await this.#deps.tokens.read(token, core.id)
    if (this.#isEnded || !this.#socket.isOpen()) return
    if (!reading.ok || this.#deps.isRevoked(reading.claims) || !this.#deps.isPresent(this.server)) {
      this.end(CLOSE_CODES.ended, 'token refused')
      return
    }
    const before = this.#claims
    if (before !== undefined && before.sub !== reading.claims.sub) {
      this.end(CLOSE_CODES.forbidden, 'another user')
      return
    }
    this.#claims = reading.claims
    if (before === undefined && !this.#deps.admit(this)) {
      this.#claims = undefined
      this.end(CLOSE_CODES.tooManySockets, 'too many sockets')
      return
    }
    this.#cancelReaper()
    this.#watchToken(reading.claims)
    core.refreshConsole()
    const { firstSeq, lastSeq } = core.console
    this.#send({ event: 'auth success', args: [{ firstSeq, lastSeq }] })
    if (before === undefined) await this.#begin(afterSeq)
    else if (before.permissions.includes('console.read') !== this.#may('console.read')) this.#followConsole(lastSeq)
  }

  async #begin(afterSeq: number | undefined): Promise<void> {
    const { core } = this.server
    if (core.spec?.suspended) {
      this.suspended()
      return
    }
    core.listeners.add(this)
    this.status(core.record.state)
    this.#followConsole(afterSeq ?? Math.max(0, core.console.lastSeq - FIRST_LINES))
    this.stats(await this.#deps.latestStats(this.server))
  }

  #followConsole(afterSeq: number): void {
    this.#stopConsole()
    if (!this.#may('console.read')) return
    const socket = this.#socket
    this.#stopConsole = this.server.core.fanout.add(
      {
        isOpen: () => socket.isOpen(),
        bufferedBytes: () => socket.bufferedBytes(),
        deliver: (batch, sent) => socket.sendText(batch.text(encodeOutput), sent),
        dropped: (count) => this.#send({ event: 'dropped', args: [count] }),
      },
      afterSeq,
    )
  }

  #watchToken(claims: ConsoleTokenClaims): void {
    for (const cancel of this.#timers) cancel()
    const { timers, clock } = this.#deps
    const leftMs = Math.max(0, claims.exp * 1_000 - clock.now())
    this.#timers = [
      timers.after(Math.max(0, leftMs - EXPIRING_BEFORE_MS), () => this.#send({ event: 'token expiring' })),
      timers.after(leftMs, () => this.#send({ event: 'token expired' })),
      timers.after(leftMs + CLOSE_AFTER_EXPIRY_MS, () => this.end(CLOSE_CODES.ended, 'token ended')),
    ]
  }

  #may(permission: Permission): boolean {
    return this.#claims?.permissions.includes(permission) ?? false
  }

  async #handle(message: Exclude<PanelClientMessage, { event: 'auth' }>, claims: ConsoleTokenClaims): Promise<void> {
    if (message.event === 'set state') return this.#setState(message.args[0], claims)
    if (message.event === 'send command') return this.#command(message.args[0], message.args[1] ?? '', claims)
    if (message.event === 'send history') return this.#history(message.args[0])
    if (message.event === 'send stats history') return this.#statsHistory(message.args[0])
    // The last lines were sent at the beginning.
    if (message.event === 'send logs') return undefined
    return this.stats(await this.#deps.latestStats(this.server))
  }

  async #setState(action: PowerAction, claims: ConsoleTokenClaims): Promise<void> {
    const permission = PERMISSION_OF_MESSAGE['set state'][action]
    if (!this.#may(permission)) return this.#forbidden(permission)
    const serverId = this.server.core.id
    this.#deps.activity({ ...doneBy(claims), serverId, type: `server:power.${action}`, detail: '' })
    const result = await this.server.power(action)
    if (!result.ok) this.#send({ event: 'daemon error', args: [result.code] })
  }

  async #command(line: string, clientId: string, claims: ConsoleTokenClaims): Promise<void> {
    const permission = PERMISSION_OF_MESSAGE['send command']
    if (!this.#may(permission)) return this.#forbidden(permission)
    const result = await this.server.writeLine(line)
    if (!result.ok) return this.#send({ event: 'daemon error', args: [result.code] })
    const serverId = this.server.core.id
    this.#deps.activity({ ...doneBy(claims), serverId, type: 'server:console.command', detail: line.slice(0, 500) })
    return this.#send({ event: 'command accepted', args: [clientId] })
  }

  #history({ before, limit }: HistoryRequest): void {
    const permission = PERMISSION_OF_MESSAGE['send history']
    if (!this.#may(permission)) return this.#forbidden(permission)
    if (this.#isBehind) return this.#send({ event: 'throttled', args: ['send history'] })
    const page = { maxLines: limit, maxBytes: PANEL_LIMITS.historyPageBytes }
    const { lines, isStart, lost } = this.server.core.console.before(before, page)
    return this.#send({ event: 'console history', args: [{ before, lines: lines.map(onWire), isStart, lost }] })
  }

  #statsHistory(request: StatsHistoryRequest): void {
    if (this.#isBehind) return this.#send({ event: 'throttled', args: ['send stats history'] })
    return this.#send({ event: 'stats history', args: [this.#deps.statsHistory(this.server, request)] })
  }

  /** A slow reader's requests are ignored, because its memory here is bounded (P6). */
  get #isBehind(): boolean {
    return this.#socket.bufferedBytes() >= PANEL_LIMITS.bufferedBytes
  }

  #forbidden(permission: Permission): void {
    const code = this.#claims?.seesAs === true ? 'SEEING_AS' : `FORBIDDEN ${permission}`
    this.#send({ event: 'daemon error', args: [code] })
  }

  /** A peer that does not answer, or reads nothing from a full buffer for a whole heartbeat, is dropped. */
  #beat(): void {
    const buffered = this.#socket.bufferedBytes()
    if (buffered >= PANEL_LIMITS.bufferedBytes && buffered === this.#stuckBytes) {
      this.end(CLOSE_CODES.slow, 'slow reader')
      return
    }
    if (!this.#alive) {
      this.#socket.drop()
      return
    }
    this.#stuckBytes = buffered
    this.#alive = false
    this.#socket.ping()
  }
}
