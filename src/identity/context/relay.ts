import type { IdentityDatabase } from './database.ts'

export type RelayDeps = {
  readonly db: Pick<IdentityDatabase, 'listen'>
  /** A notification here wakes it. */
  readonly channel: string
  /** How often it looks by itself: a lost notification costs this much. */
  readonly pollMs: number
  /** Does what waits. Resolves with whether more may wait. */
  readonly drain: () => Promise<boolean>
  readonly onFailure: (error: unknown) => void
}

/** Does what waits in a table, one run at a time, when a transaction wakes it and every few seconds. Returns what ends it. */
export const startRelay = ({ db, channel, pollMs, drain, onFailure }: RelayDeps): (() => Promise<void>) => {
  let isClosed = false
  let running: Promise<void> | undefined
  let again = false
  const drainAll = async () => {
    try {
      while (!isClosed && (await drain()));
    } catch (error) {
      if (!isClosed) onFailure(error)
    }
  }
  const wake = () => {
    if (isClosed) return
    if (running) {
      again = true
      return
    }
    running = drainAll().finally(() => {
      running = undefined
      if (!again) return
      again = false
      wake()
    })
  }
  const stopListening = db.listen(channel, { onMessage: wake, onGap: wake })
  const timer = setInterval(wake, pollMs)
  timer.unref()
  return async () => {
    isClosed = true
    clearInterval(timer)
    await stopListening()
    await running
  }
}
