import type { Database } from './database.ts'

const MAX_BACKOFF_MS = 60_000

export type RelayDeps = {
  readonly db: Pick<Database, 'listen'>
  /** The channel whose notifications wake it. */
  readonly channel: string
  /** The polling interval: a lost notification costs this much. */
  readonly pollMs: number
  /** The pause after a run during which it was woken, so that one run handles the rows of many transactions. */
  readonly gatherMs?: number
  /** Does the waiting work. Resolves with whether more may wait. */
  readonly drain: () => Promise<boolean>
  readonly onFailure: (error: unknown) => void
}

export type Relay = {
  /** Resolves once notifications wake it; rejects when the first connection failed, while reconnecting continues. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** Milliseconds before a message that failed `attempts` times is retried. */
export const relayBackoffMs = (attempts: number): number => Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** attempts)

/**
 * Does the waiting work of a table, one run at a time: at the start, when a transaction notifies it, and every few
 * seconds. A wake-up during a run causes one more run.
 */
export const startRelay = ({ db, channel, pollMs, gatherMs = 0, drain, onFailure }: RelayDeps): Relay => {
  let isClosed = false
  let running: Promise<void> | undefined
  let again = false
  let gathering: NodeJS.Timeout | undefined
  const drainAll = async () => {
    try {
      while (!isClosed && (await drain()));
    } catch (error) {
      if (!isClosed) onFailure(error)
    }
  }
  const wake = () => {
    if (isClosed || gathering) return
    if (running) {
      again = true
      return
    }
    running = drainAll().finally(() => {
      running = undefined
      if (!again || isClosed) return
      again = false
      if (gatherMs === 0) return wake()
      gathering = setTimeout(() => {
        gathering = undefined
        wake()
      }, gatherMs)
    })
  }
  const listening = db.listen(channel, { onMessage: wake, onGap: wake })
  const timer = setInterval(wake, pollMs)
  timer.unref()
  wake()
  return {
    ready: listening.ready,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      clearTimeout(gathering)
      await listening.close()
      await running
    },
  }
}
