import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { StopSignal } from '../runtime/runtime-driver.ts'

export type StopStep =
  | { readonly kind: 'line'; readonly line: string; readonly waitMs: number }
  | { readonly kind: 'signal'; readonly signal: StopSignal; readonly waitMs: number }

/** How long the end may take after SIGKILL, which no program can refuse. */
const AFTER_KILL_MS = 15_000

/**
 * The steps that end a server, mildest first. Templates write `^C` and `^^C` for an interrupt; other panels turn the
 * second into SIGKILL and lose the world, so both mean SIGINT here.
 */
export const stopChain = (spec: Pick<ServerSpec, 'stop' | 'stopTimeoutMs'>): StopStep[] => {
  const waitMs = spec.stopTimeoutMs
  const signals: StopStep[] = [
    { kind: 'signal', signal: 'SIGINT', waitMs },
    { kind: 'signal', signal: 'SIGTERM', waitMs },
    { kind: 'signal', signal: 'SIGKILL', waitMs: AFTER_KILL_MS },
  ]
  if (spec.stop.kind === 'signal' || /^\^{1,2}c$/i.test(spec.stop.line.trim())) return signals
  return [{ kind: 'line', line: spec.stop.line, waitMs }, ...signals]
}
