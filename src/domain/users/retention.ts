const DAY_MS = 86_400_000

/**
 * Retention periods in days (clarifications part 3). A year has 366 days here, so that nothing is deleted too early.
 */
export const KEPT_DAYS = {
  activities: 180,
  logs: 30,
  tickets: 5 * 366,
  invoices: 8 * 366,
} as const

/** Older data are deleted; epoch milliseconds. */
export const keptSinceMs = (kind: keyof typeof KEPT_DAYS, nowMs: number): number => nowMs - KEPT_DAYS[kind] * DAY_MS
