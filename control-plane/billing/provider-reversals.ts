import {
  disputeOfAll,
  DISPUTE_STATES,
  creditedShareFt,
  isAway,
  type DisputeProgress,
  type ReversalState,
  type SeenDispute,
  type SeenRefund,
} from '#domain/billing/reversal.ts'
import type { Dispute } from '#domain/billing/payment-state.ts'
import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '../platform/postgres.ts'
import type { PaymentContext } from './payment-context.ts'

/** Money at a provider, whether a payment of ours waits for it or not. */
export type MoneyAtProvider = { readonly provider: string; readonly providerPaymentId: string }

/** A refund or a dispute as it is known here, in the provider's unit. */
export type Reversal = {
  readonly kind: 'refund' | 'dispute'
  readonly reversal_id: string
  readonly amount_minor: bigint
  readonly whole_minor: bigint
  readonly state: ReversalState
  readonly refund_id: string | null
}

/** A provider that lists none says at most that something went back, and that the payment is disputed. */
function listed({ refunds, disputes, refundedMinor, dispute, amount }: ObservedPayment) {
  const total: SeenRefund[] =
    refundedMinor > 0n ? [{ id: '', refundId: null, minor: refundedMinor, state: 'succeeded' }] : []
  const whole: SeenDispute[] = dispute === 'none' ? [] : [{ id: '', minor: amount.minor, state: dispute }]
  return { refunds: refunds ?? total, disputes: disputes ?? whole }
}

const WRITE = `insert into control.provider_reversals as r (provider, provider_payment_id, kind, reversal_id, amount_minor,
    whole_minor, state, refund_id, seen_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  on conflict (provider, provider_payment_id, kind, reversal_id) do update set state = excluded.state, updated_at = excluded.updated_at
    where array_position(array['pending', 'open', 'succeeded', 'lost', 'failed', 'won'], r.state)
        < array_position(array['pending', 'open', 'succeeded', 'lost', 'failed', 'won'], excluded.state)`

/**
 * Keeps what a look says of refunds and disputes, and answers all that is known of them. States only move on, so looks may come in any
 * order. Whoever calls holds the row of the payment, or of the parked money.
 */
export async function keepReversals(
  tx: Sql,
  { clock }: Pick<PaymentContext, 'clock'>,
  { money, observed }: { money: MoneyAtProvider; observed: ObservedPayment },
): Promise<Reversal[]> {
  const { refunds, disputes } = listed(observed)
  const at = new Date(clock.now())
  const whole = observed.amount.minor.toString()
  for (const { id, minor, state, refundId } of refunds) {
    const ours = refundId === null ? null : await ownRefund(tx, { money, refundId, reversalId: id })
    await tx.query(WRITE, [
      ...[money.provider, money.providerPaymentId, 'refund', id, minor.toString(), whole, state],
      ...[ours, at],
    ])
  }
  for (const { id, minor, state } of disputes) {
    await adoptNameless(tx, money, id)
    await tx.query(WRITE, [
      ...[money.provider, money.providerPaymentId, 'dispute', id, minor.toString(), whole, state],
      ...[null, at],
    ])
  }
  return readReversals(tx, money)
}

/** The refund of ours of this name; one that was sent twice is ours once, and anybody may write any name at a provider. */
async function ownRefund(
  tx: Sql,
  { money, refundId, reversalId }: { money: MoneyAtProvider; refundId: string; reversalId: string },
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select f.id from control.refunds f join control.payments p on p.id = f.payment_id
     where f.id::text = lower($1) and p.provider = $2 and p.provider_payment_id = $3
       and (f.provider_refund_id is null or f.provider_refund_id = $4)
       and not exists (select from control.provider_reversals r where r.refund_id = f.id and r.reversal_id <> $4)`,
    [refundId, money.provider, money.providerPaymentId, reversalId],
  )
  return row?.id ?? null
}

/**
 * A dispute that was known without its name is the first that is listed: of a provider that told only that there was one, or of a program of
 * the release before, which kept none and may still run beside this one.
 */
async function adoptNameless(tx: Sql, { provider, providerPaymentId }: MoneyAtProvider, id: string): Promise<void> {
  if (id === '') return
  await tx.query(
    `update control.provider_reversals r set reversal_id = $3
     where provider = $1 and provider_payment_id = $2 and kind = 'dispute' and reversal_id = ''
       and not exists (select from control.provider_reversals o where o.provider = $1 and o.provider_payment_id = $2
         and o.kind = 'dispute' and o.reversal_id = $3)`,
    [provider, providerPaymentId, id],
  )
  await tx.query(
    `update control.chargebacks c set source_id = $3 where kind = 'dispute' and source_id = ''
       and (payment_id in (select id from control.payments where provider = $1 and provider_payment_id = $2)
         or unmatched_id in (select id from control.unmatched_payments where provider = $1 and provider_payment_id = $2))
       and not exists (select from control.provider_reversals r where r.provider = $1 and r.provider_payment_id = $2
         and r.kind = 'dispute' and r.reversal_id = '')
       and not exists (select from control.chargebacks o where coalesce(o.payment_id, o.unmatched_id)
         = coalesce(c.payment_id, c.unmatched_id) and o.kind = 'dispute' and o.source_id = $3)`,
    [provider, providerPaymentId, id],
  )
}

export const readReversals = (tx: Sql, { provider, providerPaymentId }: MoneyAtProvider): Promise<Reversal[]> =>
  tx.query<Reversal>(
    `select kind, reversal_id, amount_minor, whole_minor, state, refund_id from control.provider_reversals
     where provider = $1 and provider_payment_id = $2 order by kind, seen_at, reversal_id`,
    [provider, providerPaymentId],
  )

const isDisputeState = (state: ReversalState): state is DisputeProgress =>
  (DISPUTE_STATES as readonly string[]).includes(state)

export const disputeOf = (reversals: readonly Reversal[]): Dispute =>
  disputeOfAll(reversals.map(({ state }) => state).filter(isDisputeState))

/** What the provider has sent back of a credit, in forints, whoever asked it to. */
export function refundedFtOf(creditedFt: bigint, reversals: readonly Reversal[]): bigint {
  const parts = reversals.filter(({ kind, state }) => kind === 'refund' && isAway(state))
  const sum = parts.reduce((total, { amount_minor: minor }) => total + minor, 0n)
  return creditedShareFt(creditedFt, { minor: sum, whole: parts[0]?.whole_minor ?? 1n })
}
