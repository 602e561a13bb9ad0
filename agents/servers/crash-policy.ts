/** Crashes further apart than this have nothing to do with one another. */
export const CRASH_WINDOW_MS = 15 * 60_000
/** The wait before each start that follows a crash. One crash more within the window, and the server stays down. */
export const CRASH_DELAYS_MS: readonly number[] = [5_000, 15_000, 45_000, 120_000]

export type CrashDecision =
  /** `attempt` counts from 1. */
  | { readonly is: 'restart'; readonly delayMs: number; readonly attempt: number; readonly crashes: readonly number[] }
  | { readonly is: 'stay-down'; readonly crashes: readonly number[] }

/**
 * `crashes` are the times of earlier crashes in milliseconds since 1970. Returns what to do and the times to keep. A clock
 * that was set back does not make a crash of the future count for ever.
 */
export const afterCrash = (crashes: readonly number[], nowMs: number): CrashDecision => {
  const recent = crashes.filter((atMs) => Math.abs(nowMs - atMs) < CRASH_WINDOW_MS)
  const kept = [...recent, nowMs]
  const delayMs = CRASH_DELAYS_MS[recent.length]
  if (delayMs === undefined) return { is: 'stay-down', crashes: kept }
  return { is: 'restart', delayMs, attempt: kept.length, crashes: kept }
}

/** Milliseconds until the start that is due at `restartAtMs`: never longer than the longest wait, whatever the clock does. */
export const restartDelayMs = (restartAtMs: number, nowMs: number): number =>
  Math.min(Math.max(0, restartAtMs - nowMs), Math.max(...CRASH_DELAYS_MS))
