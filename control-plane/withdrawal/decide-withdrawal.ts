import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { paidInAll, type PaidSpan } from '#domain/billing/paid-time.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { decideWithdrawal, expiryAfterWithdrawal, type Withdrawal } from '#domain/billing/withdrawal.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Sql } from '../platform/postgres.ts'
import { readInvoiceContact } from '../store/cms-reader.ts'
import { keepWhatTierGave, NOTHING_KEPT, type KeptForTier } from './premium-contract.ts'
import { readContractSpans, type Contract, type ContractSpan } from './read-contract.ts'
import type { WithdrawRefusal } from './withdrawal-context.ts'

export type DecidedWithdrawal = {
  readonly ok: true
  readonly contract: Contract
  readonly withdrawal: Withdrawal
  readonly spans: readonly ContractSpan[]
  /** In the order of `spans`. */
  readonly after: readonly PaidSpan[]
  readonly back: Buckets
  readonly paid: Money
  readonly endsAtMs: number
  readonly deletionAtMs: number | null
  readonly keptFor: KeptForTier
}

export type Decision = DecidedWithdrawal | WithdrawRefusal

/** What a withdrawal from a contract does now. */
export async function decideOn(
  sql: Sql,
  { contract, userId, nowMs }: { contract: Contract; userId: string; nowMs: number },
): Promise<Decision> {
  if (!contract.isSettled) return { ok: false, code: 'NOT_INSTALLED' }
  const spans = await readContractSpans(sql, contract)
  const contact = await readInvoiceContact(sql, userId)
  const decided = decideWithdrawal({
    subject: { kind: contract.kind, spans: spans.map(({ span }) => span), hasLaterRenewal: contract.hasLaterRenewal },
    // Who named a tax number bought for a business.
    isConsumer: (contact?.tax_number ?? '').trim() === '',
    wasWithdrawn: contract.wasWithdrawn,
    concludedAtMs: contract.concludedAtMs,
    begunAtMs: contract.begunAtMs ?? nowMs,
    nowMs,
    askedForImmediateStart: contract.askedForImmediateStart,
    currency: 'HUF',
  })
  if (!decided.ok) return decided
  const { documentId: purchaseId, kind } = contract
  const isPremium = kind === 'premium'
  const { withdrawal, keptFor } = isPremium
    ? await keepWhatTierGave(sql, { withdrawal: decided, userId, purchaseId })
    : { withdrawal: decided, keptFor: NOTHING_KEPT }
  const after = isPremium ? withdrawal.spans.map((span) => ({ ...span, returned: withdrawal.back })) : withdrawal.spans
  const held = spans.map(({ span }) => span)
  const endsAtMs = isPremium ? nowMs : expiryAfterWithdrawal(contract.periodStartMs, nowMs)
  return {
    ...{ ok: true, contract, withdrawal, spans, after, endsAtMs, keptFor },
    back: bucketsGivenBack(held, after, 'HUF'),
    paid: paidInAll(held, 'HUF'),
    deletionAtMs: isPremium ? null : deletionAtMs(endsAtMs),
  }
}
