import { forints, isLess, subtract, type Money } from '../billing/money.ts'
import { needsSecondPerson } from '../billing/refund.ts'
import { isReason } from '../billing/staff-reason.ts'
import { parseForints } from './top-up.ts'

/** A proposal that nobody has decided on by then is over. */
export const PROPOSAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000
/** What one person gives one customer within this time counts together. */
export const GIVEN_TOGETHER_MS = 24 * 60 * 60 * 1000
/** A typing mistake above this is refused whoever agrees, in forints. */
export const MAX_MANUAL_FT = 10_000_000

export const MONEY_BUCKETS = ['money', 'bonus'] as const
export type MoneyBucket = (typeof MONEY_BUCKETS)[number]
export const MANUAL_DIRECTIONS = ['credit', 'debit'] as const
export type ManualDirection = (typeof MANUAL_DIRECTIONS)[number]

export type ManualCreditWish = {
  readonly direction: ManualDirection
  /** Whole forints above zero, as they came from outside. */
  readonly amount: unknown
  readonly bucket: MoneyBucket
  /** What the balance cannot give becomes a debt; for debits of money. */
  readonly withDebt: boolean
  readonly reason: string
}

/** Every reason for which staff cannot move a balance by hand, in the order in which they are checked. */
export const MANUAL_CREDIT_REFUSALS = [
  'REASON_MISSING',
  'AMOUNT_INVALID',
  'DEBT_OF_MONEY_ONLY',
  'INSUFFICIENT_BALANCE',
] as const
export type ManualCreditRefusal = {
  readonly ok: false
  readonly code: (typeof MANUAL_CREDIT_REFUSALS)[number]
}
const refused = (code: ManualCreditRefusal['code']): ManualCreditRefusal => ({ ok: false, code })

/** Reads a wish before anything is looked up: its amount in forints, or why it cannot be. */
export function readManualCredit(
  wish: ManualCreditWish,
): { readonly ok: true; readonly amount: Money } | ManualCreditRefusal {
  if (!isReason(wish.reason)) return refused('REASON_MISSING')
  const parsed = parseForints(wish.amount)
  if (!parsed.ok || parsed.amount.minor > BigInt(MAX_MANUAL_FT)) return refused('AMOUNT_INVALID')
  const takesMoney = wish.direction === 'debit' && wish.bucket === 'money'
  return wish.withDebt && !takesMoney ? refused('DEBT_OF_MONEY_ONLY') : parsed
}

/** What moves: `balance` in the wish's bucket, `debt` beside it. Together they are the amount. */
export type ManualMovement = { readonly ok: true; readonly balance: Money; readonly debt: Money }

/**
 * Splits an amount that was read into what the balance gains or loses and what becomes a debt. A debit takes no more than what may be
 * spent, and whoever owes may spend nothing; only a correction with debt takes what is free and claims the rest.
 */
export function splitManualCredit(
  { direction, amount, withDebt }: { direction: ManualDirection; amount: Money; withDebt: boolean },
  balance: { readonly free: Money; readonly owes: boolean },
): ManualMovement | ManualCreditRefusal {
  const nothing = forints(0n)
  if (direction === 'credit') return { ok: true, balance: amount, debt: nothing }
  if (withDebt) {
    const taken = isLess(balance.free, amount) ? balance.free : amount
    return { ok: true, balance: taken, debt: subtract(amount, taken) }
  }
  const spendable = balance.owes ? nothing : balance.free
  return isLess(spendable, amount) ? refused('INSUFFICIENT_BALANCE') : { ok: true, balance: amount, debt: nothing }
}

/**
 * Whether what somebody of the staff moves now needs a second person: `givenFt` is what the same person moved for the same customer
 * alone within `GIVEN_TOGETHER_MS`, so that many small amounts are one large one.
 */
export const isBeyondOnePerson = (amount: Money, { givenFt, limitFt }: { givenFt: bigint; limitFt: bigint }): boolean =>
  needsSecondPerson(forints(amount.minor + givenFt), forints(limitFt))

export type ProposalState = 'open' | 'confirmed' | 'refused' | 'expired'
export const PROPOSAL_STATES = ['open', 'confirmed', 'refused', 'expired'] as const satisfies readonly ProposalState[]

/** Why somebody cannot decide on a proposal now. */
export type ProposalRefusal = 'OWN_PROPOSAL' | 'DECIDED' | 'EXPIRED'

/** The state of a proposal at a time: one that waited too long is over without anybody's word. */
export const proposalState = (
  proposal: { readonly state: 'open' | 'confirmed' | 'refused'; readonly expiresAtMs: number },
  nowMs: number,
): ProposalState => (proposal.state === 'open' && nowMs >= proposal.expiresAtMs ? 'expired' : proposal.state)

/** Whether somebody may decide. Who proposed may take the proposal back, and never confirm it. */
export function mayDecide(
  proposal: { readonly state: ProposalState; readonly proposedBy: string },
  act: { readonly staffId: string; readonly decision: 'confirm' | 'refuse' },
): ProposalRefusal | undefined {
  if (proposal.state === 'expired') return 'EXPIRED'
  if (proposal.state !== 'open') return 'DECIDED'
  return act.decision === 'confirm' && act.staffId === proposal.proposedBy ? 'OWN_PROPOSAL' : undefined
}
