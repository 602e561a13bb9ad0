import { forints, isLess, subtract, type Money } from '../billing/money.ts'
import { needsApprover } from '../billing/refund.ts'
import { isReason } from '../billing/staff-reason.ts'
import { parseForints } from './top-up.ts'

/** A proposal without a decision expires after this time. */
export const PROPOSAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000
/** Movements by one person for one customer within this time count together. */
export const GIVEN_TOGETHER_MS = 24 * 60 * 60 * 1000
/** The limit against typing mistakes in forints, which no approver can override. */
export const MAX_MANUAL_FT = 10_000_000

export const MONEY_BUCKETS = ['money', 'bonus'] as const
export type MoneyBucket = (typeof MONEY_BUCKETS)[number]
export const MANUAL_DIRECTIONS = ['credit', 'debit'] as const
export type ManualDirection = (typeof MANUAL_DIRECTIONS)[number]

export type ManualCreditWish = {
  readonly direction: ManualDirection
  /** Whole forints above zero, unvalidated. */
  readonly amount: unknown
  readonly bucket: MoneyBucket
  /** The uncovered part becomes a debt; for debits of money. */
  readonly withDebt: boolean
  readonly reason: string
}

/** Every reason why staff cannot move a balance by hand, in the order in which they are checked. */
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

/** Validates a request before any lookup: its amount in forints, or the reason of its refusal. */
export function readManualCredit(
  wish: ManualCreditWish,
): { readonly ok: true; readonly amount: Money } | ManualCreditRefusal {
  if (!isReason(wish.reason)) return refused('REASON_MISSING')
  const parsed = parseForints(wish.amount)
  if (!parsed.ok || parsed.amount.minor > BigInt(MAX_MANUAL_FT)) return refused('AMOUNT_INVALID')
  const takesMoney = wish.direction === 'debit' && wish.bucket === 'money'
  return wish.withDebt && !takesMoney ? refused('DEBT_OF_MONEY_ONLY') : parsed
}

/** The movement: `balance` in the request's bucket, `debt` beside it. Together they are the amount. */
export type ManualMovement = { readonly ok: true; readonly balance: Money; readonly debt: Money }

/**
 * Splits a validated amount into the change of the balance and the new debt. A debit takes no more than the spendable
 * balance, which is zero for a customer in debt; only a correction with debt takes the free part and claims the rest.
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
 * Whether a movement by staff needs an approver: `givenFt` is the sum of the same person's movements for the same
 * customer within `GIVEN_TOGETHER_MS`, so that many small amounts count as one large one.
 */
export const isBeyondOnePerson = (amount: Money, { givenFt, limitFt }: { givenFt: bigint; limitFt: bigint }): boolean =>
  needsApprover(forints(amount.minor + givenFt), forints(limitFt))

export type ProposalState = 'open' | 'confirmed' | 'refused' | 'expired'
export const PROPOSAL_STATES = ['open', 'confirmed', 'refused', 'expired'] as const satisfies readonly ProposalState[]

/** Why a person cannot decide on a proposal now. */
export type ProposalRefusal = 'OWN_PROPOSAL' | 'DECIDED' | 'EXPIRED'

/** The state of a proposal at a given time: one that waited too long has expired. */
export const proposalState = (
  proposal: { readonly state: 'open' | 'confirmed' | 'refused'; readonly expiresAtMs: number },
  nowMs: number,
): ProposalState => (proposal.state === 'open' && nowMs >= proposal.expiresAtMs ? 'expired' : proposal.state)

/** Whether a person may decide. The proposer may withdraw the proposal, but never approve it. */
export function mayDecide(
  proposal: { readonly state: ProposalState; readonly proposedBy: string },
  act: { readonly staffId: string; readonly decision: 'confirm' | 'refuse' },
): ProposalRefusal | undefined {
  if (proposal.state === 'expired') return 'EXPIRED'
  if (proposal.state !== 'open') return 'DECIDED'
  return act.decision === 'confirm' && act.staffId === proposal.proposedBy ? 'OWN_PROPOSAL' : undefined
}
