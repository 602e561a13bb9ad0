/** Below this many first replies nothing is said about the reply time (clarifications part 6). */
export const LEAST_REPLIES = 10
/** Over how many days first replies count. */
export const REPLY_DAYS = 30

/** How long customers waited for a first reply, in milliseconds: half of them at most the median, nine of ten at most the other. */
export type ReplyTime = { readonly medianMs: number; readonly ninetyPercentMs: number }

/** The nearest rank: a wait that somebody really had. */
const rank = (sorted: readonly number[], share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0

/** The reply time of a category from the waits for its first replies, in milliseconds; null when there are too few to be honest. */
export const replyTime = (waitsMs: readonly number[]): ReplyTime | null => {
  if (waitsMs.length < LEAST_REPLIES) return null
  const sorted = waitsMs.toSorted((one, other) => one - other)
  return { medianMs: rank(sorted, 0.5), ninetyPercentMs: rank(sorted, 0.9) }
}
