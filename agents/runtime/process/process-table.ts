import fs from 'node:fs'
import { statFields } from '../../platform/process-identity.ts'
import type { Clock } from '#platform/clock.ts'

/** The kernel reports CPU times to programs in hundredths of a second on every platform we run on. */
const MS_PER_TICK = 10
const MAX_AGE_MS = 500

export interface SessionUsage {
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly processes: number
}

/** Page sizes differ between machines; our own memory, known in both units, reveals the size. */
const measurePageBytes = (): number => {
  const pages = Number(statFields(process.pid)?.[21] ?? 0)
  if (pages <= 0) return 4_096
  return 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages))
}

/**
 * CPU and memory of process trees, by session: a server's program leads a session, and its children stay in it. One
 * scan of /proc serves all servers.
 */
export class ProcessTable {
  readonly #clock: Clock
  readonly #pageBytes = measurePageBytes()
  #readAtMs = Number.NEGATIVE_INFINITY
  #sessions = new Map<number, SessionUsage>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  session(leader: number): SessionUsage | undefined {
    const now = this.#clock.now()
    if (Math.abs(now - this.#readAtMs) >= MAX_AGE_MS) {
      this.#sessions = this.#read()
      this.#readAtMs = now
    }
    return this.#sessions.get(leader)
  }

  #read(): Map<number, SessionUsage> {
    const sessions = new Map<number, SessionUsage>()
    for (const name of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const fields = statFields(Number(name))
      if (fields === undefined || fields[0] === 'Z') continue
      const session = Number(fields[3])
      const before = sessions.get(session) ?? { cpuMs: 0, memoryBytes: 0, processes: 0 }
      // Own time and the time of ended children: their sum loses nothing when a child exits.
      const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
      sessions.set(session, {
        cpuMs: before.cpuMs + ticks * MS_PER_TICK,
        memoryBytes: before.memoryBytes + Number(fields[21] ?? 0) * this.#pageBytes,
        processes: before.processes + 1,
      })
    }
    return sessions
  }
}
