import type { Log } from './logger.ts'

/** Runs `stop` once when the process is asked to end, or when a supervisor that started it is gone. */
export const onShutdown = (options: { supervised: boolean; log: Log; stop: () => Promise<void> }): void => {
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
  process.on('SIGTERM', () => begin('SIGTERM'))
  process.on('SIGINT', () => begin('SIGINT'))
  if (!options.supervised) return
  // The channel and the pipe close by themselves when the supervisor is killed, so nothing has to be polled.
  if (process.connected) process.on('disconnect', () => begin('the supervisor is gone'))
  process.stdin.on('end', () => begin('the supervisor is gone'))
  process.stdin.on('error', () => begin('the supervisor is gone'))
  process.stdin.resume()
}
