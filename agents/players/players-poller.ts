import type { PlayerCount } from '#contracts/agent/session.ts'
import type { PlayersHistory, PlayersSeen } from '#contracts/panel/players.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import type { ServerCore } from '../servers/server-core.ts'
import { PlayersRing } from './players-ring.ts'
import type { QueryAnswer } from './query-process.ts'
import { questionOf, type QueryQuestion } from './question.ts'

const LOOK_MS = 5_000
const EVERY_MS = 60_000
const MOST_MS = 600_000
/** A game may keep a process busy for a sixtieth of the time: what it takes longer, it is asked less often. */
const SHARE = 60

export interface PollerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  servers(): readonly ServerCore[]
  isOwnAddress(ip: string): boolean
  /** Rejects if the game could not be asked. */
  ask(question: QueryQuestion): Promise<QueryAnswer>
  /** Told once a minute, if a game has answered. */
  tell(counts: readonly PlayerCount[]): void
}

interface Entry {
  /** The program that was asked: another one is asked anew. */
  readonly taskId: string
  seen: PlayersSeen
  dueAtMs: number
  silences: number
  isBusy: boolean
}

const WAITING: PlayersSeen = { state: 'waiting' }
const UNASKED: QueryAnswer = { players: null, usedMs: 0 }

/**
 * Asks the running servers that have a query for their players once a minute. A game that does not answer is asked less
 * and less often, one that answers slowly by the time that it takes; one that stops is asked no more.
 */
export class PlayersPoller {
  readonly #deps: PollerDeps
  readonly #entries = new Map<string, Entry>()
  #cancel: () => void = () => {}
  #cancelTelling: () => void = () => {}

  constructor(deps: PollerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#cancel = this.#deps.timers.every(LOOK_MS, () => void this.tick())
    this.#cancelTelling = this.#deps.timers.every(EVERY_MS, () => this.#tell())
  }

  stop(): void {
    this.#cancel()
    this.#cancelTelling()
  }

  /** Asks every server whose minute is over. */
  async tick(): Promise<void> {
    const running = this.#deps.servers().filter(({ record }) => record.state === 'running' && record.task !== null)
    const ids = new Set(running.map(({ id }) => id))
    for (const id of this.#entries.keys()) if (!ids.has(id)) this.#entries.delete(id)
    await Promise.all(running.map((core) => this.#look(core)))
  }

  /** The result of a server's last question; null if it has no query. */
  of(core: ServerCore): PlayersSeen | null {
    if (core.spec === null || questionOf(core.spec, this.#deps.isOwnAddress) === undefined) return null
    return this.#asked(core) ?? WAITING
  }

  /** The minutes in which the game answered; null for a server without a query that never had one. */
  history(core: ServerCore, fromMs: number): PlayersHistory | null {
    const kept = new PlayersRing(core.layout.playersFile).read(fromMs, this.#deps.clock.now())
    return kept.times.length === 0 && this.of(core) === null ? null : kept
  }

  /** The last answer of the running program, if it was asked. */
  #asked({ id, record }: ServerCore): PlayersSeen | undefined {
    const entry = this.#entries.get(id)
    return record.state === 'running' && entry?.taskId === record.task?.taskId ? entry?.seen : undefined
  }

  #tell(): void {
    const counts = this.#deps.servers().flatMap((core) => {
      const seen = this.#asked(core)
      return seen?.state === 'answered' ? [{ serverId: core.id, online: seen.online, max: seen.max }] : []
    })
    if (counts.length > 0) this.#deps.tell(counts)
  }

  async #look(core: ServerCore): Promise<void> {
    const { clock, isOwnAddress } = this.#deps
    const { task, spec } = core.record
    if (task === null || spec === null) return
    const known = this.#entries.get(core.id)
    // The time is checked first: it costs nothing, and most looks end here.
    if (known?.taskId === task.taskId && (known.isBusy || clock.now() < known.dueAtMs)) return
    const question = questionOf(spec, isOwnAddress)
    if (question === undefined) {
      this.#entries.delete(core.id)
      return
    }
    const entry = this.#entryOf(core.id, task.taskId)
    entry.isBusy = true
    try {
      // Nothing is sent to a port at which this server's programs do not listen.
      const ports = await core.deps.driver.listening(task, core.layout)
      const isOpen = ports === undefined || ports.tcp.has(question.port) || ports.udp.has(question.port)
      this.#learn(core, entry, isOpen ? await this.#deps.ask(question) : UNASKED)
    } catch (error) {
      // Not the game's silence: what is known of it stays.
      entry.dueAtMs = clock.now() + EVERY_MS
      this.#deps.log.warn({ err: error, serverId: core.id }, 'the players of a server are not counted')
    } finally {
      entry.isBusy = false
    }
  }

  #entryOf(serverId: string, taskId: string): Entry {
    const known = this.#entries.get(serverId)
    if (known?.taskId === taskId) return known
    const entry: Entry = { taskId, seen: WAITING, dueAtMs: 0, silences: 0, isBusy: false }
    this.#entries.set(serverId, entry)
    return entry
  }

  #learn(core: ServerCore, entry: Entry, { players, usedMs }: QueryAnswer): void {
    const nowMs = this.#deps.clock.now()
    const affordedAtMs = nowMs + Math.min(MOST_MS, usedMs * SHARE)
    // The program may have ended meanwhile.
    if (this.#entries.get(core.id) !== entry) return
    if (players === null) {
      entry.seen = { state: 'silent' }
      const pauseMs = Math.min(MOST_MS, EVERY_MS * 2 ** Math.min(entry.silences, 4))
      entry.dueAtMs = Math.max(nowMs + pauseMs, affordedAtMs)
      entry.silences += 1
      return
    }
    entry.seen = players
    entry.silences = 0
    // Once in every minute of the clock, so that the history of a game that answers in time has no holes.
    entry.dueAtMs = Math.max(nowMs - (nowMs % EVERY_MS) + EVERY_MS, affordedAtMs)
    try {
      new PlayersRing(core.layout.playersFile).add(nowMs, players)
    } catch (error) {
      this.#deps.log.warn({ err: error, serverId: core.id }, 'the history of players is not written')
    }
  }
}
