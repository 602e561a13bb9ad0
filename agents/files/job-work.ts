import { FileFailure } from './file-failure.ts'

/** How long work tells what it has done, and learns that nobody wants it any more. */
export interface JobWork {
  readonly signal: AbortSignal
  /** Bytes; the total is null where it is not known yet. */
  progress(done: number, total: number | null): void
}

/** Counts the bytes of one job. Throws `BUSY` once the job is cancelled, so that its parts are removed. */
export class JobCount {
  readonly #work: JobWork
  #total: number | null
  #done = 0

  constructor(work: JobWork, total: number | null) {
    this.#work = work
    this.#total = total
    work.progress(0, total)
  }

  /** The total is known now. */
  expect(bytes: number): void {
    this.#total = bytes
  }

  add(bytes: number): void {
    if (this.#work.signal.aborted) throw new FileFailure('BUSY')
    this.#done += bytes
    this.#work.progress(this.#done, this.#total)
  }
}
