import type { Log } from '#platform/logger.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { EngineAnswer } from './engine-answer.ts'

/** How long whoever wants a container gone waits for it. */
const PATIENCE_MS = 2_000
const AGAIN_MS = 5_000
/** How long a start waits for the ports of what came before it. */
const BEFORE_START_MS = 60_000

export interface RemovalDeps {
  readonly timers: Timers
  readonly log: Log
  /** Removes one container; one that is gone is no refusal. */
  remove(id: string): Promise<EngineAnswer<void>>
}

/**
 * Removes ended containers, and those that the engine cannot remove yet as soon as it can: one whose containerd was killed
 * takes half a minute to believe that a process is gone, and until then the container holds its ports.
 */
export class Removals {
  readonly #deps: RemovalDeps
  /** By server, what is still being removed. */
  readonly #open = new Map<string, Set<Promise<void>>>()
  #isClosed = false

  constructor(deps: RemovalDeps) {
    this.#deps = deps
  }

  /** Resolves when the container is gone, or after two seconds while the removal goes on. `gone` is called once. */
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

  /** Resolves when nothing of the server is being removed any more, or after a minute. */
  async settled(serverId: string): Promise<void> {
    await this.#atMost(BEFORE_START_MS, Promise.all(this.#open.get(serverId) ?? []))
  }

  /** Gives up what could not be removed; an agent that comes later finds it by its record. */
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
