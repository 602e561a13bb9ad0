import { QueryProcess, type QueryAnswer, type QueryTime } from './query-process.ts'
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

  constructor(program: string, time?: QueryTime) {
    this.#lanes = Array.from({ length: PROCESSES }, () => ({ process: new QueryProcess(program, time), waiting: 0 }))
  }

  /** Asks where the fewest questions wait. Rejects if its process does not start. */
  async ask(question: QueryQuestion): Promise<QueryAnswer> {
    const lane = this.#lanes.reduce((best, each) => (each.waiting < best.waiting ? each : best))
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
