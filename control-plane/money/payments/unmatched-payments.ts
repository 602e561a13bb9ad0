import { inHouseUnits, type ObservedAmount } from '#domain/payments/payment-amount.ts'
import type { PaymentProblem } from '#domain/payments/payment-match.ts'
import { isAway, withoutNameless, type Reversal } from '#domain/payments/reversal.ts'
import type { ObservedPayment } from './payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { followReversals } from './follow-reversals.ts'
import type { PaymentContext } from './payment-context.ts'
import type { PaymentRow } from './payment-row.ts'
import { keepReversals, type MoneyAtProvider } from './provider-reversals.ts'
import type { HeldMoney } from './take-back.ts'

export type UnmatchedMoney = MoneyAtProvider & {
  readonly problem: PaymentProblem
  readonly observed: ObservedPayment
  /** The payment that it seems to belong to. */
  readonly paymentId: string | null
  readonly userId: string | null
  /** The refunds and disputes of this lookup, if they are stored already. */
  readonly reversals?: readonly Reversal[]
}

export type UnmatchedRow = {
  readonly id: string
  readonly provider: string
  readonly provider_payment_id: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly exponent: number
  readonly forwarded_ft: bigint | null
  readonly payment_id: string | null
  readonly user_id: string | null
  readonly state: 'open' | 'assigned' | 'dismissed'
  readonly credited_ft: bigint | null
  readonly went_back_minor: bigint
  readonly went_back_at: Date | null
}

const SELECT_UNMATCHED = `select id, provider, provider_payment_id, amount_minor, currency, exponent, forwarded_ft, payment_id,
  user_id, state, credited_ft, went_back_minor, went_back_at from control.unmatched_payments`

/** The unmatched payment with its row locked. */
export async function lockUnmatched(
  tx: Sql,
  { provider, providerPaymentId }: MoneyAtProvider,
): Promise<UnmatchedRow | undefined> {
  const [row] = await tx.query<UnmatchedRow>(
    `${SELECT_UNMATCHED} where provider = $1 and provider_payment_id = $2 and kind = 'settlement' for update`,
    [provider, providerPaymentId],
  )
  return row
}

/** Whether staff have resolved exactly this payment. */
export const isResolved = (row: UnmatchedRow | undefined, { amount }: ObservedPayment): boolean =>
  row !== undefined && row.state !== 'open' && isSame(row, amount)

const isSame = (row: UnmatchedRow, { minor, currency, exponent }: ObservedAmount): boolean =>
  row.amount_minor === minor && row.currency === currency && row.exponent === exponent

/**
 * Stores an unexpected payment for staff, with one alarm each (T08-T10); if the provider's data changes, it waits for
 * staff again. Then its reversals are posted: from the wallet of the assigned customer, or from the amount that can
 * still be assigned.
 */
export async function keepUnmatched(tx: Sql, context: PaymentContext, money: UnmatchedMoney): Promise<void> {
  const { provider, providerPaymentId, problem, observed, paymentId } = money
  const known = await lockUnmatched(tx, money)
  const changes = known !== undefined && known.state !== 'assigned' && !isSame(known, observed.amount)
  const isNew = !known && (await insert(tx, context, money))
  if (changes) await change(tx, known, money)
  if (isNew || changes) context.log.error({ provider, problem, paymentId }, 'a payment is unmatched and needs a person')
  // A concurrent second lookup waits here, so that both are stored in order.
  if (!known) await lockUnmatched(tx, money)
  const reversals =
    money.reversals ?? (await keepReversals(tx, context, { money: { provider, providerPaymentId }, observed }))
  await followUnmatched(tx, context, { money, reversals })
}

const forwardedOf = ({ forwarded, amount }: ObservedPayment): string | null => {
  const forwardedFt = inHouseUnits(forwarded ?? amount, 'HUF')
  return forwardedFt !== undefined && forwardedFt > 0n ? forwardedFt.toString() : null
}

async function insert(tx: Sql, { ids, clock }: PaymentContext, money: UnmatchedMoney): Promise<boolean> {
  const { provider, providerPaymentId, problem, observed, paymentId, userId } = money
  const { amount, reference } = observed
  const rows = await tx.query(
    `insert into control.unmatched_payments (id, provider, provider_payment_id, kind, problem, amount_minor, currency,
       exponent, forwarded_ft, reference, payment_id, user_id, created_at)
     values ($1, $2, $3, 'settlement', $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (provider, provider_payment_id, kind) do nothing returning id`,
    [
      ids.next(),
      provider,
      providerPaymentId,
      problem,
      amount.minor.toString(),
      amount.currency,
      amount.exponent,
      forwardedOf(observed),
      reference,
      paymentId,
      userId,
      new Date(clock.now()),
    ],
  )
  return rows.length === 1
}

async function change(tx: Sql, known: UnmatchedRow, { problem, observed }: UnmatchedMoney): Promise<void> {
  const { amount } = observed
  await tx.query(
    `update control.unmatched_payments set problem = $2, amount_minor = $3, currency = $4, exponent = $5, forwarded_ft = $6,
       state = 'open', resolved_at = null, resolved_by = null, resolution = null, went_back_at = null where id = $1`,
    [known.id, problem, amount.minor.toString(), amount.currency, amount.exponent, forwardedOf(observed)],
  )
}

/** Posts the reversals of an unmatched payment; does nothing without one. */
export async function followUnmatched(
  tx: Sql,
  context: PaymentContext,
  { money, reversals }: { money: MoneyAtProvider; reversals: readonly Reversal[] },
): Promise<void> {
  const row = await lockUnmatched(tx, money)
  if (!row) return
  const held = heldOfUnmatched(row)
  if (held) return followReversals(tx, context, { held, reversals })
  const away = withoutNameless(reversals).filter(({ state }) => isAway(state))
  const minor = away.reduce((sum, part) => sum + part.minor, 0n)
  // A dispute resolved by a refund is listed twice.
  const wentBack = minor < row.amount_minor ? minor : row.amount_minor
  const isDisputed = away.some(({ kind }) => kind === 'dispute')
  await tx.query('update control.unmatched_payments set went_back_minor = $2, is_disputed = $3 where id = $1', [
    row.id,
    wentBack.toString(),
    isDisputed,
  ])
  await closeOrOpen(tx, context, { row, isGone: row.amount_minor > 0n && wentBack >= row.amount_minor })
}

/** An assigned unmatched payment; undefined before that. */
export function heldOfUnmatched(row: UnmatchedRow): HeldMoney | undefined {
  const { state, user_id: userId, credited_ft: creditedFt, provider, provider_payment_id: providerPaymentId } = row
  if (state !== 'assigned' || userId === null || creditedFt === null) return undefined
  const { id: documentId, payment_id: paymentId } = row
  return { documentId, paymentId, userId, provider, providerPaymentId, creditedFt, requestId: documentId }
}

/** A fully reversed payment cannot be assigned; it waits for staff again when it returns. */
async function closeOrOpen(
  tx: Sql,
  { clock, log }: PaymentContext,
  { row, isGone }: { row: UnmatchedRow; isGone: boolean },
): Promise<void> {
  if (isGone && row.state === 'open') {
    await tx.query(
      `update control.unmatched_payments set state = 'dismissed', went_back_at = $2, resolved_at = $2,
         resolution = 'It went back at the provider.' where id = $1`,
      [row.id, new Date(clock.now())],
    )
    log.warn({ unmatchedId: row.id, provider: row.provider }, 'an unmatched payment went back at the provider')
  } else if (!isGone && row.went_back_at !== null) {
    await tx.query(
      `update control.unmatched_payments set state = 'open', went_back_at = null, resolved_at = null, resolution = null where id = $1`,
      [row.id],
    )
    log.error({ unmatchedId: row.id, provider: row.provider }, 'an unmatched payment is here again and needs a person')
  }
}

/** An unmatched payment was matched and credited after all, so staff need not look at it. */
export async function dismissUnmatched(tx: Sql, { clock }: PaymentContext, payment: PaymentRow): Promise<void> {
  await tx.query(
    `update control.unmatched_payments set state = 'dismissed', resolved_at = $3, resolution = 'credited by its payment'
     where provider = $1 and provider_payment_id = $2 and kind = 'settlement' and state = 'open'`,
    [payment.provider, payment.provider_payment_id, new Date(clock.now())],
  )
}
