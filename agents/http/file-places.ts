import { OVERLOAD } from '#contracts/overload.ts'
import type { Clock } from '#platform/clock.ts'
import { TokenBucket } from '#platform/token-bucket.ts'
import { FileFailure } from '../files/file-failure.ts'

const FORGET_MS = 120_000

interface Person {
  readonly bucket: TokenBucket
  running: number
  lastMs: number
}

/** The places of requests about files: nobody takes all of them, and nobody asks without end. */
export class FilePlaces {
  readonly #clock: Clock
  readonly #people = new Map<string, Person>()
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes a place and returns how to leave it. Throws `BUSY`. Transfers are not counted by their number. */
  take(userId: string, isTransfer: boolean): () => void {
    const { all, perUser } = OVERLOAD.agent.files
    const person = this.#person(userId)
    const isAllowed = isTransfer || person.bucket.take(this.#clock.now())
    if (!isAllowed || this.#running >= all || person.running >= perUser) throw new FileFailure('BUSY')
    person.running += 1
    this.#running += 1
    return () => {
      person.running -= 1
      this.#running -= 1
    }
  }

  #person(userId: string): Person {
    const nowMs = this.#clock.now()
    const known = this.#people.get(userId)
    if (known !== undefined) {
      known.lastMs = nowMs
      return known
    }
    for (const [id, { running, lastMs }] of this.#people) {
      if (running === 0 && nowMs - lastMs > FORGET_MS) this.#people.delete(id)
    }
    const person = { bucket: new TokenBucket(OVERLOAD.agent.files.calls), running: 0, lastMs: nowMs }
    this.#people.set(userId, person)
    return person
  }
}
