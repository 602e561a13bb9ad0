import type { Log } from '#platform/logger.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { EngineAnswer } from './engine-answer.ts'

/** How long a caller waits for the removal of a container. */
const PATIENCE_MS = 2_000
const AGAIN_MS = 5_000
/** How long a start waits for the ports of a previous container. */
const BEFORE_START_MS = 60_000

export interface RemovalDeps {
  readonly timers: Timers
  readonly log: Log
  /** Removes one container; a missing one is not a failure. */
  remove(id: string): Promise<EngineAnswer<void>>
}

/**
 * Removes ended containers, and retries those that the engine cannot remove yet: after the loss of its containerd it
 * takes half a minute to notice that a process is gone, and until then the container holds its ports.
 */
export class Removals {
  readonly #deps: RemovalDeps
  /** Pending removals by server. */
  readonly #open = new Map<string, Set<Promise<void>>>()
  #isClosed = false

  constructor(deps: RemovalDeps) {
    this.#deps = deps
  }

  /** Resolves when the container is gone, or after two seconds while the removal continues. `gone` is called once. */
  async remove(serverId: string, id: string, gone: () => void): Promise<void> {
    const mine = this.#untilGone(id)
      .then((isGone) => {
        if (isGone) gone()
      })
      .catch((error: unknown) => this.#deps.log.error({ err: error, serverId }, 'a container was not removed'))
      .finally(() => {
        this.#open.get(serverId)?.delete(mine)
      })
    const open = this.#open.get(serverId) ?? new Set()
    this.#open.set(serverId, open.add(mine))
    await this.#atMost(PATIENCE_MS, mine)
  }

  /** Resolves when no removal of the server is pending, or after a minute. */
  async settled(serverId: string): Promise<void> {
    await this.#atMost(BEFORE_START_MS, Promise.all(this.#open.get(serverId) ?? []))
  }

  /** Gives up pending removals; a later agent finds the containers by their records. */
  close(): void {
    this.#isClosed = true
  }

  async #untilGone(id: string): Promise<boolean> {
    for (;;) {
      const answer = await this.#deps.remove(id)
      if (answer.ok) return true
      if (this.#isClosed) return false
      this.#deps.log.warn({ containerId: id, reason: answer.message }, 'a container is removed later')
      await sleep(this.#deps.timers, AGAIN_MS)
      if (this.#isClosed) return false
    }
  }

  async #atMost(waitMs: number, done: Promise<unknown>): Promise<void> {
    let cancel = (): void => {}
    const late = new Promise<void>((resolve) => {
      cancel = this.#deps.timers.after(waitMs, resolve)
    })
    await Promise.race([done, late])
    cancel()
  }
}
