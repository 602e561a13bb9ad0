import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { paidInAll, type PaidSpan } from '#domain/billing/paid-time.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import {
  decideWithdrawal,
  expiryAfterWithdrawal,
  withdrawalFault,
  type Withdrawal,
} from '#domain/billing/withdrawal.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoiceContact } from '../../cms/cms-reader.ts'
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

/** A customer with a tax number bought as a business. */
export async function buysAsConsumer(sql: Sql, userId: string): Promise<boolean> {
  const contact = await readInvoiceContact(sql, userId)
  return (contact?.tax_number ?? '').trim() === ''
}

type Asked = { readonly contract: Contract; readonly userId: string; readonly nowMs: number }

/** The current effect of withdrawing from a contract. */
export async function decideOn(sql: Sql, asked: Asked): Promise<Decision> {
  const isConsumer = await buysAsConsumer(sql, asked.userId)
  const refusal = refusedUnseen({ ...asked, isConsumer })
  return refusal ?? decideWith(sql, { ...asked, isConsumer, spans: await readContractSpans(sql, asked.contract) })
}

const factsOf = ({ contract, nowMs, isConsumer }: Asked & { readonly isConsumer: boolean }) => ({
  isConsumer,
  nowMs,
  wasWithdrawn: contract.wasWithdrawn,
  concludedAtMs: contract.concludedAtMs,
  begunAtMs: contract.begunAtMs ?? nowMs,
})

/** A refusal that does not depend on the payments. */
export function refusedUnseen(asked: Asked & { readonly isConsumer: boolean }): WithdrawRefusal | undefined {
  return asked.contract.isSettled ? withdrawalFault(factsOf(asked)) : { ok: false, code: 'NOT_INSTALLED' }
}

/** As `decideOn`, for a contract without such a refusal. */
export async function decideWith(
  sql: Sql,
  asked: Asked & { readonly isConsumer: boolean; readonly spans: readonly ContractSpan[] },
): Promise<Decision> {
  const { contract, userId, nowMs, spans } = asked
  const decided = decideWithdrawal({
    subject: { kind: contract.kind, spans: spans.map(({ span }) => span), hasLaterRenewal: contract.hasLaterRenewal },
    ...factsOf(asked),
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
    ok: true,
    contract,
    withdrawal,
    spans,
    after,
    endsAtMs,
    keptFor,
    back: bucketsGivenBack(held, after, 'HUF'),
    paid: paidInAll(held, 'HUF'),
    deletionAtMs: isPremium ? null : deletionAtMs(endsAtMs),
  }
}
