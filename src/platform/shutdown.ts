import type { Log } from './logger.ts'

/** How long a stopping process may take before it exits by force. */
export const SHUTDOWN_LIMIT_MS = 30_000
/** After the last step: anything that still keeps the process alive is a connection leaked by a library. */
const LEFT_OVER_MS = 1_000

export interface Shutdown {
  /** Registers a step. Steps run in reverse order of registration; a failing step does not stop the next. */
  add(name: string, step: () => Promise<void> | void): void
  /** Runs the steps once; later calls await the same run. Resolves with whether every step worked. */
  run(reason: string): Promise<boolean>
}

/** The orderly shutdown of a process. */
export const createShutdown = (log: Log): Shutdown => {
  const steps: { name: string; step: () => Promise<void> | void }[] = []
  let running: Promise<boolean> | undefined
  const runAll = async (reason: string) => {
    let isClean = true
    log.info({ reason }, 'stopping')
    for (const { name, step } of steps.toReversed()) {
      try {
        await step()
      } catch (error) {
        isClean = false
        log.error({ step: name, err: error }, 'a step of the shutdown failed')
      }
    }
    log.info({}, 'stopped')
    return isClean
  }
  return {
    add: (name, step) => void steps.push({ name, step }),
    run: (reason) => (running ??= runAll(reason)),
  }
}

export type ProcessEnd = {
  readonly log: Log
  /**
   * A supervisor started the process and holds its standard input or IPC channel: the process exits when it disappears.
   */
  readonly supervised: boolean
  /** The time limit before exiting by force; undefined if the steps bound themselves. */
  readonly limitMs?: number
  /** The action of a second signal while the steps run. Without it the process exits at once. */
  readonly hurry?: () => Promise<void>
}

const leave = (isClean: boolean): void => {
  // Standard input and the supervisor's channel would keep the event loop alive.
  process.stdin.destroy()
  if (process.connected) process.disconnect()
  process.exitCode ??= isClean ? 0 : 1
  setTimeout(() => process.exit(), LEFT_OVER_MS).unref()
}

const onceGone = (gone: () => void): void => {
  // The channel and the pipe close when the supervisor is killed, so no polling is needed.
  if (process.connected) process.on('disconnect', gone)
  process.stdin.on('end', gone).on('close', gone).on('error', gone).resume()
}

/**
 * Connects the process to its shutdown: SIGTERM, SIGINT, and the loss of its supervisor, so that no process is
 * orphaned. Returns a function with which the program requests its own end.
 */
export const endWithProcess = (shutdown: Shutdown, { log, supervised, limitMs, hurry }: ProcessEnd) => {
  let isStopping = false
  const stop = (reason: string): void => {
    if (isStopping) return
    isStopping = true
    if (limitMs !== undefined) {
      setTimeout(() => {
        log.error({}, 'the shutdown took too long')
        process.exit(1)
      }, limitMs).unref()
    }
    void shutdown.run(reason).then(leave)
  }
  const onSignal = (signal: string): void => {
    if (!isStopping) return stop(signal)
    log.warn({ reason: signal }, 'stopping at once')
    if (hurry === undefined) process.exit(1)
    void hurry().catch((error: unknown) => log.error({ err: error }, 'stopping at once failed'))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal))
  if (supervised) onceGone(() => stop('the supervisor is gone'))
  return stop
}
