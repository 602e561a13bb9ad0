import { creditedShareFt, isAway, refundedShareFt, withoutNameless, type Reversal } from './reversal.ts'

/** An amount taken from a customer for a foreign refund or a dispute. Amounts are whole forints. */
export type TakenPart = {
  readonly id: string
  readonly kind: Reversal['kind']
  /** The provider's id of the reversal; followed by `SETTLED` for the rest of a dispute that ended with less. */
  readonly sourceId: string
  readonly amountFt: bigint
  readonly state: 'taken' | 'won' | 'returned'
}

/** A refund of the payment that was started here. */
export type OwnRefund = {
  readonly id: string
  readonly amountFt: bigint
  readonly state: 'requested' | 'pending' | 'succeeded' | 'failed'
}

/** Credited money, and all known facts about its reversals. */
export type HeldBooks = {
  readonly creditedFt: bigint
  readonly reversals: readonly Reversal[]
  readonly taken: readonly TakenPart[]
  readonly refunds: readonly OwnRefund[]
  /** Whether staff settled foreign refunds by a manual correction. */
  readonly isSettledByStaff: boolean
}

export type ReversalStep =
  | { readonly do: 'return-refund'; readonly refundId: string }
  | { readonly do: 'give-back'; readonly takenId: string }
  | { readonly do: 'take'; readonly kind: Reversal['kind']; readonly sourceId: string; readonly amountFt: bigint }

const SETTLED = ':settled'

const sumOf = (parts: readonly { readonly amountFt: bigint }[]): bigint =>
  parts.reduce((sum, { amountFt }) => sum + amountFt, 0n)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The amounts taken for a reversal, also under the id of its end. */
const takenFor = (taken: readonly TakenPart[], { kind, id }: Reversal): TakenPart[] =>
  taken.filter((row) => row.kind === kind && (row.sourceId === id || row.sourceId.startsWith(`${id}${SETTLED}`)))

/**
 * A refund of ours, except one that the provider refused when called but lists as sent all the same: the wallet has its
 * money again, so it is handled like a refund made at the provider.
 */
const isOursAmong =
  (refunds: readonly OwnRefund[]) =>
  ({ refundId, state }: Reversal): boolean =>
    refundId !== null && !(state === 'succeeded' && refunds.find(({ id }) => id === refundId)?.state === 'failed')

/**
 * The refunds that carried out disputes, by refund id: a dispute that ends in the customer's favour is listed beside a
 * refund of the same amount, which is one movement of money, listed twice.
 */
function refundsOfDisputes(foreign: readonly Reversal[], disputes: readonly Reversal[]): ReadonlyMap<string, Reversal> {
  const left = [...disputes]
  const carried = new Map<string, Reversal>()
  for (const { id, minor } of foreign) {
    const at = left.findIndex((dispute) => dispute.minor === minor)
    const [dispute] = at < 0 ? [] : left.splice(at, 1)
    if (dispute) carried.set(id, dispute)
  }
  return carried
}

/** The total of our sent refunds, and with pending ones; by our books or the provider's, whichever is further. */
function sentOf({ creditedFt, refunds }: HeldBooks, ours: readonly Reversal[], returned: ReadonlySet<string>) {
  const kept = refunds.filter(({ id, state }) => state !== 'failed' && !returned.has(id))
  const listedFt = refundedShareFt(creditedFt, ours)
  return {
    sentFt: larger(sumOf(kept.filter(({ state }) => state === 'succeeded')), listedFt),
    begunFt: larger(sumOf(kept), listedFt),
  }
}

/** The remaining amount of a dispute that ended with less. */
function lessenedOf(standing: readonly TakenPart[], dispute: Reversal, creditedFt: bigint): TakenPart | undefined {
  const [row] = dispute.state === 'lost' ? takenFor(standing, dispute) : []
  return row && creditedShareFt(creditedFt, dispute) < row.amountFt ? row : undefined
}

/**
 * Plans the consequences of a provider's list for credited money: our refunds that came back, then returns of failed or
 * won reversals, then new takings. Each once: planning again after carrying it out yields nothing. Never takes more
 * than was credited, besides our sent refunds; a pending refund may still fail, and then its money returns to the
 * customer. Only if the provider names no refund may one of our pending ones be meant.
 */
export function planReversals(books: HeldBooks): ReversalStep[] {
  const { creditedFt, taken, refunds, isSettledByStaff } = books
  const reversals = withoutNameless(books.reversals)
  const isOurs = isOursAmong(refunds)
  const ours = reversals.filter(isOurs)
  const isSent = (id: string | null) => refunds.some((refund) => refund.id === id && refund.state === 'succeeded')
  const failed = ours.filter(({ refundId, state }) => state === 'failed' && isSent(refundId))
  const returned = new Set(failed.flatMap(({ refundId }) => refundId ?? []))
  const over = books.reversals.filter(({ state }) => !isAway(state)).flatMap((each) => takenFor(taken, each))
  const ended = over.filter(({ state }) => state === 'taken')
  const steps: ReversalStep[] = [
    ...[...returned].map((refundId) => ({ do: 'return-refund', refundId }) as const),
    ...ended.map(({ id }) => ({ do: 'give-back', takenId: id }) as const),
  ]
  const standing = taken.filter((row) => row.state === 'taken' && !ended.includes(row))
  const foreign = reversals.filter((each) => each.kind === 'refund' && !isOurs(each) && isAway(each.state))
  const disputes = reversals.filter(({ kind, state }) => kind === 'dispute' && isAway(state))
  const carried = refundsOfDisputes(foreign, disputes)
  // Disputes that ended with less than the disputed amount are returned before anything is taken.
  const lessened = new Map(disputes.map((dispute) => [dispute, lessenedOf(standing, dispute, creditedFt)]))
  const undone = [...lessened.values()].flatMap((row) => row ?? [])
  steps.push(...undone.map(({ id }) => ({ do: 'give-back', takenId: id }) as const))
  let takenFt = sumOf(standing) - sumOf(undone)
  const { sentFt, begunFt } = sentOf(books, ours, returned)
  const take = (
    kind: Reversal['kind'],
    sourceId: string,
    { shareFt, awayFt }: Record<'shareFt' | 'awayFt', bigint>,
  ) => {
    const amountFt = smaller(shareFt, creditedFt - takenFt - awayFt)
    if (amountFt <= 0n) return
    takenFt += amountFt
    steps.push({ do: 'take', kind, sourceId, amountFt })
  }
  for (const dispute of disputes) {
    const shareFt = creditedShareFt(creditedFt, dispute)
    const row = lessened.get(dispute)
    const refund = foreign.find(({ id }) => carried.get(id) === dispute)
    const alreadyFt = refund ? sumOf(takenFor(standing, refund)) : 0n
    if (row) take('dispute', `${row.sourceId}${SETTLED}`, { shareFt: shareFt - alreadyFt, awayFt: sentFt })
    else if (takenFor(taken, dispute).length === 0) take('dispute', dispute.id, { shareFt, awayFt: sentFt })
  }
  for (const refund of foreign) {
    if (carried.has(refund.id) || isSettledByStaff || takenFor(taken, refund).length > 0) continue
    const shareFt = creditedShareFt(creditedFt, refund)
    take('refund', refund.id, { shareFt, awayFt: refund.id === '' ? begunFt : sentFt })
  }
  return steps
}
