import { MAX_LEFT_OUT, type JobResult, type LeftOut, type LeftOutReason } from '#contracts/panel/file-jobs.ts'

const MAX_NAME = 300

export type LeftOutReport = Pick<JobResult, 'leftOut' | 'leftOutCount'>

/** Counts everything that is left out, and names the first of it. */
export class LeftOutList {
  readonly #named: LeftOut[] = []
  #count = 0

  add(name: string, why: LeftOutReason): void {
    this.#count += 1
    if (this.#named.length < MAX_LEFT_OUT) this.#named.push({ name: name.slice(0, MAX_NAME), why })
  }

  /** Everything of another report. */
  addAll({ leftOut, leftOutCount }: LeftOutReport): void {
    for (const { name, why } of leftOut) this.add(name, why)
    this.#count += leftOutCount - leftOut.length
  }

  get report(): LeftOutReport {
    return { leftOut: this.#named, leftOutCount: this.#count }
  }
}
