import type { ServerStats } from '#contracts/panel/messages.ts'
import type { PlayersHistory, PlayersSeen } from '#contracts/panel/players.ts'
import type { StatsHistory, StatsHistoryRequest } from '#contracts/panel/stats-history.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import type { ServerCore } from '../servers/server-core.ts'
import type { Quotas } from '../quota/catalog.ts'
import { ServerStatistics } from './server-statistics.ts'
import { StatsRing, type StatsPoint } from './stats-ring.ts'

const EVERY_MS = 1_000

export interface SamplerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly quotas: Pick<Quotas, 'of'>
  readonly log: Log
  servers(): readonly ServerCore[]
  readonly players: {
    of(core: ServerCore): PlayersSeen | null
    history(core: ServerCore, fromMs: number): PlayersHistory | null
  }
}

interface Entry {
  readonly core: ServerCore
  readonly statistics: ServerStatistics
  readonly ring: StatsRing
  readonly watchers: Set<(json: string) => void>
  before: { readonly atMs: number; readonly received: number; readonly sent: number } | undefined
  isBusy: boolean
  wasRefused: boolean
}

/**
 * Measures every server once a second, for its watchers and its history. A server without a program is measured for
 * watchers only, and leaves a gap in the history.
 */
export class StatsSampler {
  readonly #deps: SamplerDeps
  readonly #entries = new Map<string, Entry>()
  #cancel: () => void = () => {}

  constructor(deps: SamplerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#cancel = this.#deps.timers.every(EVERY_MS, () => void this.tick())
  }

  stop(): void {
    this.#cancel()
  }

  /** One measurement of all servers. A server whose last one is still pending is skipped, so that nothing piles up. */
  async tick(): Promise<void> {
    const servers = this.#deps.servers()
    const known = new Set(servers.map((core) => core.id))
    for (const [id, { core }] of this.#entries) {
      if (known.has(id)) continue
      this.#entries.delete(id)
      this.#deps.quotas.of(core.layout).forget(core.layout)
    }
    const due = servers
      .map((core) => this.#entry(core))
      .filter((entry) => !entry.isBusy && (entry.core.record.task !== null || entry.watchers.size > 0))
    await Promise.all(due.map((entry) => this.#measure(entry)))
  }

  /** The last sample, or a first one. */
  async latest(core: ServerCore): Promise<ServerStats> {
    return { ...(await this.#entry(core).statistics.latest()), players: this.#deps.players.of(core) }
  }

  /** Passes each sample as JSON text. Returns the stop function. */
  watch(core: ServerCore, watcher: (json: string) => void): () => void {
    const { watchers } = this.#entry(core)
    watchers.add(watcher)
    return () => {
      watchers.delete(watcher)
    }
  }

  history(core: ServerCore, request: StatsHistoryRequest): StatsHistory {
    const measured = this.#entry(core).ring.read(request, this.#deps.clock.now())
    return { ...measured, players: this.#deps.players.history(core, request.fromMs) }
  }

  #entry(core: ServerCore): Entry {
    const known = this.#entries.get(core.id)
    if (known?.core === core) return known
    const { quotas, clock } = this.#deps
    const entry: Entry = {
      core,
      statistics: new ServerStatistics(core, quotas.of(core.layout), clock),
      ring: new StatsRing(core.layout.statsFile),
      watchers: new Set(),
      before: undefined,
      isBusy: false,
      wasRefused: false,
    }
    this.#entries.set(core.id, entry)
    return entry
  }

  async #measure(entry: Entry): Promise<void> {
    entry.isBusy = true
    try {
      const stats = await entry.statistics.take()
      if (entry.core.record.task !== null) this.#remember(entry, stats)
      if (entry.watchers.size === 0) return
      const json = JSON.stringify({ ...stats, players: this.#deps.players.of(entry.core) } satisfies ServerStats)
      for (const watcher of entry.watchers) watcher(json)
    } catch (error) {
      this.#deps.log.warn({ err: error, serverId: entry.core.id }, 'statistics not measured')
    } finally {
      entry.isBusy = false
    }
  }

  /** A full disk costs the history some points; it is reported once until a write succeeds again. */
  #remember(entry: Entry, stats: ServerStats): void {
    const atMs = this.#deps.clock.now()
    const point: StatsPoint = {
      cpu: stats.cpu_absolute,
      memory: stats.memory_bytes,
      disk: stats.disk_bytes,
      network: this.#rates(entry, stats, atMs),
    }
    try {
      entry.ring.add(atMs, point)
      entry.wasRefused = false
    } catch (error) {
      if (!entry.wasRefused) {
        this.#deps.log.warn({ err: error, serverId: entry.core.id }, 'the history of statistics is not written')
      }
      entry.wasRefused = true
    }
  }

  /** Bytes per second since the last sample; a counter that fell has restarted. */
  #rates(entry: Entry, { network }: ServerStats, atMs: number): StatsPoint['network'] {
    const before = entry.before
    entry.before = network === null ? undefined : { atMs, received: network.rx_bytes, sent: network.tx_bytes }
    if (network === null) return null
    if (before === undefined || atMs <= before.atMs) return { received: 0, sent: 0 }
    const rate = (now: number, then: number): number => ((now < then ? now : now - then) * 1_000) / (atMs - before.atMs)
    return { received: rate(network.rx_bytes, before.received), sent: rate(network.tx_bytes, before.sent) }
  }
}
