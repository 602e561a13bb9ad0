const HOUR_MS = 3_600_000
/** A node tells its counts every minute; one that missed a few of them knows nothing of the present. */
const COUNT_LIFE_MS = 3 * 60_000
/** Hours are kept for the graph of a week and a day that has begun. */
const KEPT_DAYS = 8

/** The beginning of the hour (UTC) of a moment, both in epoch milliseconds. */
export const hourOf = (timeMs: number): number => timeMs - (timeMs % HOUR_MS)

/** Counts before this moment, in epoch milliseconds, say nothing about the present. */
export const countedSinceMs = (nowMs: number): number => nowMs - COUNT_LIFE_MS

/** Hours that began before this moment, in epoch milliseconds, are forgotten. */
export const hoursKeptSinceMs = (nowMs: number): number => hourOf(nowMs) - KEPT_DAYS * 24 * HOUR_MS

/** The beginning of the first of the last `count` hours, in epoch milliseconds. */
export const firstHourMs = (count: number, nowMs: number): number => hourOf(nowMs) - (count - 1) * HOUR_MS

/** The most players of each of the last `count` hours, oldest first; null for hours in which no game answered. */
export const lastHours = (
  peaks: readonly { readonly hourMs: number; readonly peak: number }[],
  count: number,
  nowMs: number,
): (number | null)[] => {
  const known = new Map(peaks.map(({ hourMs, peak }) => [hourMs, peak]))
  const firstMs = firstHourMs(count, nowMs)
  return Array.from({ length: count }, (_, at) => known.get(firstMs + at * HOUR_MS) ?? null)
}
