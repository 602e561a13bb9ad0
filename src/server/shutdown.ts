import type { Log } from './log.ts'

/**
 * Ends the process in order at SIGTERM and SIGINT, by force after `withinMs` or at the second signal. What is to be done is
 * told by `setStop` once the program runs; a signal before that ends at once.
 */
export const onStopSignal = ({ withinMs, log }: { withinMs: number; log: Log }) => {
  let work: (() => Promise<void>) | undefined
  let isStopping = false
  const stop = (reason: string) => {
    if (isStopping || !work) process.exit(isStopping ? 1 : 0)
    isStopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), withinMs).unref()
    work().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  return {
    stop,
    setStop: (next: () => Promise<void>) => {
      work = next
    },
  }
}

/** Calls `stop` when the supervisor is gone: it holds the other end of standard input and of the message channel. */
export const endWithParent = (stop: (reason: string) => void): void => {
  let isGone = false
  const gone = () => {
    if (isGone) return
    isGone = true
    stop('the supervisor ended')
  }
  process.on('disconnect', gone)
  process.stdin.on('end', gone)
  process.stdin.on('close', gone)
  process.stdin.on('error', gone)
  process.stdin.resume()
  process.stdin.unref?.()
}
