import { money, type Money } from './money.ts'
import { giveBack, type GivenBack, type PaidSpan } from './paid-time.ts'

/** A node that is there and was asked to take a size takes it within this time, or does not take it. Taking one is to store it. */
export const TAKE_WITHIN_MS = 10 * 60_000

export type ServerSize = { readonly cpuPercent: number; readonly memoryMiB: number; readonly storageMiB: number }

/** Whether a size asks more of a node than another one, of anything: then the node has something to take. */
export const asksMore = (has: ServerSize, wanted: ServerSize): boolean =>
  wanted.cpuPercent > has.cpuPercent || wanted.memoryMiB > has.memoryMiB || wanted.storageMiB > has.storageMiB

/** What is known of a change of size and of the node that is to take it. Times in milliseconds since 1970. */
export type SizeOnItsWay = {
  /** What was charged for the change. */
  readonly charge: Money
  /** What the server's specification has had from the change on. */
  readonly generation: number
  /** What its node says that it has. */
  readonly observedGeneration: number
  /** It had the size before, whatever it says now: it may have lost its record since. */
  readonly wasTaken: boolean
  /** The server still has this size and price, and no later change stands on it. */
  readonly isNewest: boolean
  /** The node refused the generation of the change, or a later one. */
  readonly hasRefused: boolean
  /** Since when the node has owed an answer about this size; undefined where it owes none. */
  readonly askedSinceMs: number | undefined
  readonly node: {
    readonly isReachable: boolean
    /** What happened while it was away is still to come. */
    readonly isBehind: boolean
    readonly connectedAtMs: number
  }
  readonly nowMs: number
}

export type SizeVerdict =
  | { readonly act: 'keep'; readonly because: 'unpaid' | 'taken' | 'changed-since' }
  | { readonly act: 'wait' }
  | { readonly act: 'reverse'; readonly because: 'refused' | 'silent' }

const WAIT = { act: 'wait' } as const

/**
 * Decides whether a larger size that was paid for is given back (T51): its node refused it, or was there and did not answer for ten minutes.
 * A node that is away, has just come back, or still owes what happened meanwhile is waited for, and so is a server that nothing could
 * be asked for yet, because it is being installed. A node that is being asked again after a refusal has that answer to give first.
 */
export function judgeSize(size: SizeOnItsWay): SizeVerdict {
  const { node, nowMs, askedSinceMs } = size
  if (size.charge.minor <= 0n) return { act: 'keep', because: 'unpaid' }
  if (size.wasTaken || size.observedGeneration >= size.generation) return { act: 'keep', because: 'taken' }
  if (!size.isNewest) return { act: 'keep', because: 'changed-since' }
  if (node.isReachable && node.isBehind) return WAIT
  if (node.isReachable && askedSinceMs !== undefined) {
    const sinceMs = Math.max(askedSinceMs, node.connectedAtMs)
    return nowMs - sinceMs >= TAKE_WITHIN_MS ? { act: 'reverse', because: 'silent' } : WAIT
  }
  return size.hasRefused ? { act: 'reverse', because: 'refused' } : WAIT
}

/** All that was paid for the spans comes back, however much of the time is over; what came back before does not again. */
export const giveBackAll = (spans: readonly PaidSpan[]): readonly PaidSpan[] =>
  spans.map((span) => ({ ...span, heldMonthly: span.fromMonthly, returned: span.paid }))

/** A span of paid time, and whether the change that is taken back made it. */
export type ChangedSpan = PaidSpan & { readonly isOfChange: boolean }

/**
 * What comes back for a size that was never there: all that was charged for it and stands, however much of the time is over, and of what was
 * renewed since then the part above the price before, `downTo`, in the same way. Never more than was paid for a span. `changedAtMs` is
 * when the change was made.
 */
export function giveBackUntaken(
  spans: readonly ChangedSpan[],
  { downTo, changedAtMs }: { readonly downTo: Money; readonly changedAtMs: number },
): GivenBack {
  const others = spans.filter(({ isOfChange }) => !isOfChange)
  const renewed = giveBack(others, { downTo, nowMs: changedAtMs })
  const lowered = [...renewed.spans]
  let amount = renewed.amount.minor
  const after = spans.map((span): PaidSpan => {
    const other = span.isOfChange ? undefined : lowered.shift()
    if (other) return other
    amount += span.paid.minor - span.returned.minor
    return { ...span, heldMonthly: span.fromMonthly, returned: span.paid }
  })
  return { amount: money(amount, downTo.currency), spans: after }
}
