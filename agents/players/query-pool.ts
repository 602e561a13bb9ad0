import type { PlayersCount } from '#contracts/panel/players.ts'
import { QueryProcess } from './query-process.ts'
import type { QueryQuestion } from './question.ts'

/** Each takes some 50 MB while it asks, and ends soon afterwards. */
const PROCESSES = 4

interface Lane {
  readonly process: QueryProcess
  waiting: number
}

/** A few processes that ask games side by side: slow games of one customer leave the others' their turn. */
export class QueryPool {
  readonly #lanes: readonly Lane[]

  constructor(program: string) {
    this.#lanes = Array.from({ length: PROCESSES }, () => ({ process: new QueryProcess(program), waiting: 0 }))
  }

  /** Asks where the fewest questions wait. Null if the game does not answer; never rejects. */
  async ask(question: QueryQuestion): Promise<PlayersCount | null> {
    const [first, ...others] = this.#lanes
    if (first === undefined) return null
    const lane = others.reduce((best, each) => (each.waiting < best.waiting ? each : best), first)
    lane.waiting += 1
    try {
      return await lane.process.ask(question)
    } finally {
      lane.waiting -= 1
    }
  }

  close(): void {
    for (const { process } of this.#lanes) process.close()
  }
}
