/** Below this many first replies nothing is said about the reply time (clarifications part 6). */
export const LEAST_REPLIES = 10
/** Over how many days first replies count. */
export const REPLY_DAYS = 30
/**
 * The shares of the customers whose longest wait is told. The count of the waits takes the nearest rank: one that
 * somebody really had.
 */
export const REPLY_SHARES = [0.5, 0.9] as const

/** How long customers waited for a first reply, in milliseconds: half of them at most the median, nine of ten at most the other. */
export type ReplyTime = { readonly medianMs: number; readonly ninetyPercentMs: number }

/** The reply time of a category, from its first replies and the waits of `REPLY_SHARES` in milliseconds; null when there are too few to be honest. */
export const replyTime = (
  counted: { readonly replies: number; readonly waits: readonly number[] } | undefined,
): ReplyTime | null => {
  const [medianMs, ninetyPercentMs] = counted?.waits ?? []
  if (medianMs === undefined || ninetyPercentMs === undefined || (counted?.replies ?? 0) < LEAST_REPLIES) return null
  return { medianMs: Math.round(medianMs), ninetyPercentMs: Math.round(ninetyPercentMs) }
}
