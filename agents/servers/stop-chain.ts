import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { stopMethodOf, type StopSignal } from '#contracts/agent/stop-method.ts'

export type StopStep =
  | { readonly kind: 'line'; readonly line: string; readonly waitMs: number }
  | { readonly kind: 'signal'; readonly signal: StopSignal; readonly waitMs: number }

/** How long the end may take after SIGKILL, which no program can ignore. */
const AFTER_KILL_MS = 15_000
/** For a suspended server, whose customer's own choice counts no longer: staff do not wait a quarter of an hour. */
const SUSPENDED_WAIT_MS = 30_000
const MILDEST_FIRST: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGKILL']

/**
 * The steps that end a server, mildest first, each with the server's own time-out: its command or signal, then SIGINT,
 * SIGTERM and SIGKILL, skipping any that are milder than the previous step.
 */
export const stopChain = (
  spec: Pick<ServerSpec, 'stop' | 'stopTimeoutMs'> & Partial<Pick<ServerSpec, 'suspended'>>,
): StopStep[] => {
  const waitMs = spec.suspended === true ? Math.min(spec.stopTimeoutMs, SUSPENDED_WAIT_MS) : spec.stopTimeoutMs
  const stop = spec.stop.kind === 'command' ? stopMethodOf(spec.stop.line) : spec.stop
  const first = stop.kind === 'signal' ? (stop.signal ?? 'SIGINT') : undefined
  const at = first === undefined ? 0 : MILDEST_FIRST.indexOf(first)
  const signals =
    first !== undefined && at < 0 ? [first, 'SIGTERM' as const, 'SIGKILL' as const] : MILDEST_FIRST.slice(at)
  const steps: StopStep[] = signals.map((signal) => ({
    kind: 'signal',
    signal,
    waitMs: signal === 'SIGKILL' ? AFTER_KILL_MS : waitMs,
  }))
  return stop.kind === 'command' ? [{ kind: 'line', line: stop.line, waitMs }, ...steps] : steps
}

/** Whether this console line is the server's own stop command. */
export const isStopLine = (spec: Pick<ServerSpec, 'stop'>, line: string): boolean => {
  const stop = spec.stop.kind === 'command' ? stopMethodOf(spec.stop.line) : spec.stop
  return stop.kind === 'command' && stop.line === line.trim()
}
