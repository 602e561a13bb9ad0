import type { IdSource } from '#platform/ids.ts'
import { FileFailure } from './file-failure.ts'
import type { FileFaultPoint } from './file-faults.ts'
import type { GrowthBound } from './growth-bound.ts'
import type { OwnArea } from './own-area.ts'
import type { Placing } from './placing.ts'
import type { ServerRoot } from './server-root.ts'

/** Everything that long work on one server's files shares. */
export interface JobDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly placing: Placing
  readonly ids: IdSource
  readonly faults: FileFaultPoint
  readonly growth: GrowthBound
}

/** How long work tells what it has done, and learns that nobody wants it any more. */
export interface JobWork {
  readonly signal: AbortSignal
  /** Bytes, or what is deleted; the total is null where it is not known yet. */
  progress(done: number, total: number | null): void
}

/** Work that learns the path of its result while it runs. */
export interface NamedWork extends JobWork {
  named(path: string): void
}

/** Counts the bytes of one job, or the files and folders that it deletes. Throws `BUSY` once the job is cancelled, so that its parts are removed. */
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

  refuseCancelled(): void {
    if (this.#work.signal.aborted) throw new FileFailure('BUSY')
  }

  add(bytes: number): void {
    this.refuseCancelled()
    this.tell(bytes)
  }

  /** As `add`, for work that is not left half-done when its job is cancelled. */
  tell(bytes: number): void {
    this.#done += bytes
    this.#work.progress(this.#done, this.#total)
  }
}
