/** Crashes further apart than this are unrelated. */
export const CRASH_WINDOW_MS = 15 * 60_000
/** The delay before each restart after a crash. After one more crash within the window the server stays stopped. */
export const CRASH_DELAYS_MS: readonly number[] = [5_000, 15_000, 45_000, 120_000]

export type CrashDecision =
  /** `attempt` counts from 1. */
  | { readonly is: 'restart'; readonly delayMs: number; readonly attempt: number; readonly crashes: readonly number[] }
  | { readonly is: 'stay-down'; readonly crashes: readonly number[] }

/**
 * `crashes` are the times of earlier crashes in epoch milliseconds. Returns the action and the times to keep. If the
 * clock was set back, crashes in the future are dropped.
 */
export const afterCrash = (crashes: readonly number[], nowMs: number): CrashDecision => {
  const recent = crashes.filter((atMs) => Math.abs(nowMs - atMs) < CRASH_WINDOW_MS)
  const kept = [...recent, nowMs]
  const delayMs = CRASH_DELAYS_MS[recent.length]
  if (delayMs === undefined) return { is: 'stay-down', crashes: kept }
  return { is: 'restart', delayMs, attempt: kept.length, crashes: kept }
}

/**
 * Milliseconds until the start that is due at `restartAtMs`: never longer than the longest delay, whatever the clock
 * does.
 */
export const restartDelayMs = (restartAtMs: number, nowMs: number): number =>
  Math.min(Math.max(0, restartAtMs - nowMs), Math.max(...CRASH_DELAYS_MS))
