import { deletionAtMs, REMINDER_DAYS } from './lifetime.ts'
import { DAY_MS } from './period.ts'
import { AUTO_RENEWAL_LEAD_MS } from './renewal.ts'

/** How often a renewal that waits for money is retried. */
const RETRY_MS = 5 * 60 * 1000

/**
 * When the next step of a server handled now may be due: its next reminder, automatic renewal, change of package, expiry or deletion.
 * Epoch milliseconds. A server waiting for its automatic renewal is checked every five minutes.
 */
export function nextLookMs(server: {
  readonly expiresAtMs: number
  readonly autoRenew: boolean
  readonly nowMs: number
  /** When a paid change of the package is due; none by default. */
  readonly changesAtMs?: number | undefined
}): number {
  const { expiresAtMs, autoRenew, nowMs, changesAtMs } = server
  const moments = [
    ...REMINDER_DAYS.map((days) => expiresAtMs - days * DAY_MS),
    ...(autoRenew ? [expiresAtMs - AUTO_RENEWAL_LEAD_MS] : []),
    ...(changesAtMs === undefined ? [] : [changesAtMs]),
    expiresAtMs,
    deletionAtMs(expiresAtMs),
  ].filter((moment) => moment > nowMs)
  const isLateChange = changesAtMs !== undefined && changesAtMs <= nowMs
  const waits = isLateChange || (autoRenew && nowMs >= expiresAtMs - AUTO_RENEWAL_LEAD_MS)
  return Math.min(...moments, ...(waits || moments.length === 0 ? [nowMs + RETRY_MS] : []))
}
