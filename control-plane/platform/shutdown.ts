import type { Logger } from './logger.ts'

/** How long a stopping process may take before it ends itself. */
export const SHUTDOWN_LIMIT_MS = 30_000
/** After the last step: what still keeps the process then is a connection that a library has lost sight of. */
const LEFT_OVER_MS = 1_000

export type Shutdown = {
  /** Registers a step. Steps run in the reverse order of their registration; a failing step does not keep the next from running. */
  add(name: string, step: () => Promise<void> | void): void
  /** Runs the steps once; later calls wait for the same run. */
  run(reason: string): Promise<void>
}

/** The ordered end of a process. */
export function createShutdown(log: Logger): Shutdown {
  const steps: { name: string; step: () => Promise<void> | void }[] = []
  let running: Promise<void> | undefined
  const runAll = async (reason: string) => {
    log.info({ reason }, 'stopping')
    for (const { name, step } of steps.toReversed()) {
      try {
        await step()
      } catch (error) {
        log.error(
          { step: name, reason: error instanceof Error ? error.message : String(error) },
          'a step of the shutdown failed',
        )
      }
    }
    log.info({}, 'stopped')
  }
  return {
    add: (name, step) => void steps.push({ name, step }),
    run: (reason) => (running ??= runAll(reason)),
  }
}

/**
 * Connects the process to its ends: SIGTERM, SIGINT, and, when a supervisor started it, the disappearance of that
 * supervisor (its channel closes or standard input ends), so that no process is left behind.
 */
export function stopWithProcess(shutdown: Shutdown, options: { supervised: boolean; log: Logger }): void {
  const stop = (reason: string) => {
    const limit = setTimeout(() => {
      options.log.error({}, 'the shutdown took too long')
      process.exit(1)
    }, SHUTDOWN_LIMIT_MS)
    limit.unref()
    void shutdown.run(reason).then(() => {
      // Standard input and the supervisor's channel would keep the loop alive.
      process.stdin.destroy()
      if (process.connected) process.disconnect()
      process.exitCode ??= 0
      setTimeout(() => process.exit(), LEFT_OVER_MS).unref()
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
  if (!options.supervised) return
  if (process.connected) process.on('disconnect', () => stop('the supervisor is gone'))
  else
    process.stdin
      .on('end', () => stop('the supervisor is gone'))
      .on('error', () => {})
      .resume()
}
