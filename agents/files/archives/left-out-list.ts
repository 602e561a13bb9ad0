import { MAX_LEFT_OUT, type LeftOut, type LeftOutReason } from '#contracts/panel/file-jobs.ts'

const MAX_NAME = 300

/** Counts everything that is left out, and names the first of it. */
export class LeftOutList {
  readonly #named: LeftOut[] = []
  #count = 0

  add(name: string, why: LeftOutReason): void {
    this.#count += 1
    if (this.#named.length < MAX_LEFT_OUT) this.#named.push({ name: name.slice(0, MAX_NAME), why })
  }

  get report(): { leftOut: LeftOut[]; leftOutCount: number } {
    return { leftOut: this.#named, leftOutCount: this.#count }
  }
}
