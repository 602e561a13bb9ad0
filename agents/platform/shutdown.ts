import type { Log } from './logger.ts'

export interface ShutdownOptions {
  supervised: boolean
  log: Log
  stop: () => Promise<void>
  /** What the second signal asks for while `stop` runs. */
  hurry: () => Promise<void>
}

/** Runs `stop` once when the process is asked to end, or when a supervisor that started it is gone. */
export const onShutdown = (options: ShutdownOptions): void => {
  let stopping = false
  const begin = (reason: string): void => {
    if (stopping) return
    stopping = true
    options.log.info({ reason }, 'stopping')
    void options
      .stop()
      .catch((error: unknown) => options.log.error({ err: error }, 'stopping failed'))
      .finally(() => process.exit(0))
  }
  const onSignal = (signal: string): void => {
    if (!stopping) return begin(signal)
    options.log.warn({ reason: signal }, 'stopping at once')
    void options.hurry().catch((error: unknown) => options.log.error({ err: error }, 'stopping at once failed'))
  }
  process.on('SIGTERM', () => onSignal('SIGTERM'))
  process.on('SIGINT', () => onSignal('SIGINT'))
  if (!options.supervised) return
  // The channel and the pipe close by themselves when the supervisor is killed, so nothing has to be polled.
  if (process.connected) process.on('disconnect', () => begin('the supervisor is gone'))
  process.stdin.on('end', () => begin('the supervisor is gone'))
  process.stdin.on('error', () => begin('the supervisor is gone'))
  process.stdin.resume()
}
