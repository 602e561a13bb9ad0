/** A second crash within this time means that starting again does not help. */
export const CRASH_WINDOW_MS = 60_000
export const CRASH_RESTART_DELAY_MS = 5_000

export type CrashDecision =
  | { readonly is: 'restart'; readonly delayMs: number; readonly crashes: readonly number[] }
  | { readonly is: 'stay-down'; readonly crashes: readonly number[] }

/** `crashes` are the times of earlier crashes in milliseconds since 1970. Returns what to do and the times to keep. */
export const afterCrash = (crashes: readonly number[], nowMs: number): CrashDecision => {
  const recent = crashes.filter((atMs) => nowMs - atMs < CRASH_WINDOW_MS)
  const kept = [...recent, nowMs]
  if (recent.length > 0) return { is: 'stay-down', crashes: kept }
  return { is: 'restart', delayMs: CRASH_RESTART_DELAY_MS, crashes: kept }
}
