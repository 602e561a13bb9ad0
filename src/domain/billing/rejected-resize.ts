import { money, type Money } from './money.ts'
import { giveBack, type GivenBack, type PaidSpan } from './paid-time.ts'

/**
 * A connected node that was asked to accept a size does so within this time, or counts as rejecting it. Accepting means
 * storing.
 */
export const TAKE_WITHIN_MS = 10 * 60_000

export type ServerSize = { readonly cpuPercent: number; readonly memoryMiB: number; readonly storageMiB: number }

/** Whether a size needs more of any resource than another one: only then does the node have to accept it. */
export const asksMore = (has: ServerSize, wanted: ServerSize): boolean =>
  wanted.cpuPercent > has.cpuPercent || wanted.memoryMiB > has.memoryMiB || wanted.storageMiB > has.storageMiB

/** The facts about a resize and its node. Times in epoch milliseconds. */
export type SizeOnItsWay = {
  /** The charge of the change. */
  readonly charge: Money
  /** The generation of the server's specification since the change. */
  readonly generation: number
  /** The generation reported by its node. */
  readonly observedGeneration: number
  /** It had the size before, whatever it reports now: it may have lost its record since. */
  readonly wasTaken: boolean
  /** The server still has this size and price, without a later change on top. */
  readonly isNewest: boolean
  /** The node refused the generation of the change, or a later one. */
  readonly hasRefused: boolean
  /** Since when the node has owed a response about this size; undefined if it owes none. */
  readonly askedSinceMs: number | undefined
  readonly node: {
    readonly isReachable: boolean
    /** The node's backlog is still incomplete. */
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
 * Decides whether a paid upgrade is refunded (T51): its node refused it, or was connected and did not respond for ten
 * minutes. The rule waits for a node that is away, has just returned, or has not sent its backlog, and for a server
 * that is still being installed. If the update is repeated after a refusal, its response comes first.
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

/** All payments for the spans are refunded, however much of the time has passed, less earlier refunds. */
export const giveBackAll = (spans: readonly PaidSpan[]): readonly PaidSpan[] =>
  spans.map((span) => ({ ...span, heldMonthly: span.fromMonthly, returned: span.paid }))

/** A span of paid time, and whether the reverted change created it. */
export type ChangedSpan = PaidSpan & { readonly isOfChange: boolean }

/**
 * The refund of a rejected size: its whole unrefunded charge, however much of the time has passed, and from later
 * renewals the part above the previous price, `downTo`, in the same way. Never more than was paid for a span.
 * `changedAtMs` is the time of the change.
 */
export function refundRejectedSize(
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
