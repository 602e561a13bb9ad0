import * as z from 'zod'
import type { Hint, ObservedPayment, PaymentProvider } from './payment-provider.ts'
import { keepUnmatched } from './unmatched-payments.ts'
import type { PaymentContext } from './payment-context.ts'
import { SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { checkPayment, lookAtPayment } from './settle-payment.ts'

const Reference = z.uuid()

/**
 * Handles an external hint: looks up the payment that it names. An event with a proven sender is handled once; a failed
 * one is handled again when the provider repeats it. Unconfirmed hints change nothing (T17).
 */
export async function receiveHint(context: PaymentContext, hint: Hint & { readonly provider: string }): Promise<void> {
  const provider = context.providers.find(hint.provider)
  if (!provider) return
  const eventId = provider.capabilities.signedHints ? hint.eventId : null
  const { payment, isCarriedOut } = await (eventId === null
    ? { payment: await findPayment(context, hint), isCarriedOut: false }
    : keepEvent(context, hint, eventId))
  if (isCarriedOut) return
  const note = async (sql: Sql) => {
    if (eventId !== null) await noteCarriedOut(sql, context, { provider: provider.id, eventId })
  }
  if (payment) {
    await context.faults('payment-settle.begin')
    await lookAtPayment(context, payment, note)
  } else {
    await lookAtUnknown(context, provider, hint.providerPaymentId)
    await note(context.db)
  }
}

type Named = Hint & { readonly provider: string }

async function findPayment(context: PaymentContext, hint: Named): Promise<PaymentRow | undefined> {
  const [payment] = await context.db.query<PaymentRow>(
    `${SELECT_PAYMENT} where provider = $1 and provider_payment_id = $2`,
    [hint.provider, hint.providerPaymentId],
  )
  return payment
}

type Kept = { readonly payment: PaymentRow | undefined; readonly isCarriedOut: boolean }

/** Stores an event, and finds the payment that it names in the same statement. */
async function keepEvent(context: PaymentContext, hint: Named, eventId: string): Promise<Kept> {
  const [row] = await context.db.query<PaymentRow & { id: string | null; processed_at: Date | null }>(
    `with event as (
       insert into control.provider_events as e (provider, event_id, provider_payment_id, kind, received_at)
       values ($1, $2, $3, $4, $5)
       on conflict (provider, event_id) do update set kind = e.kind returning processed_at)
     select event.processed_at, payment.* from event
       left join (${SELECT_PAYMENT} where provider = $1 and provider_payment_id = $3) payment on true`,
    [hint.provider, eventId, hint.providerPaymentId, hint.kind, new Date(context.clock.now())],
  )
  return { payment: row?.id === null ? undefined : row, isCarriedOut: row?.processed_at instanceof Date }
}

const noteCarriedOut = (
  sql: Sql,
  { clock }: PaymentContext,
  { provider, eventId }: { provider: string; eventId: string },
): Promise<object[]> =>
  sql.query(
    'update control.provider_events set processed_at = $3 where provider = $1 and event_id = $2 and processed_at is null',
    [provider, eventId, new Date(clock.now())],
  )

/** A payment that nothing here expects is stored for staff, once the provider confirms it (T08, T10). */
async function lookAtUnknown(context: PaymentContext, provider: PaymentProvider, providerPaymentId: string) {
  const observed = await provider.fetchState({ paymentId: '', providerPaymentId })
  if (observed?.state !== 'settled') {
    context.log.warn({ provider: provider.id }, 'a hint names a payment that does not exist')
    return
  }
  const adopted = await placeUnknown(context, { provider: provider.id, providerPaymentId, observed })
  if (adopted !== undefined) await checkPayment(context, adopted)
}

type UnknownMoney = { provider: string; providerPaymentId: string; observed: ObservedPayment }

/** Returns the payment that was opened but whose provider id was never stored; everything else is stored for staff. */
function placeUnknown(context: PaymentContext, unknown: UnknownMoney): Promise<string | undefined> {
  const { provider, providerPaymentId, observed } = unknown
  return context.db.transaction(async (tx) => {
    const reference = Reference.safeParse(observed.reference)
    const [named] = reference.success
      ? await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 and provider = $2 for update`, [
          reference.data,
          provider,
        ])
      : []
    if (named && (named.provider_payment_id === null || named.provider_payment_id === providerPaymentId)) {
      await tx.query('update control.payments set provider_payment_id = $2 where id = $1', [
        named.id,
        providerPaymentId,
      ])
      return named.id
    }
    const problem = named?.state === 'settled' ? 'SECOND_SETTLEMENT' : 'UNKNOWN_PAYMENT'
    const userId = named?.user_id ?? null
    await keepUnmatched(tx, context, { ...unknown, problem, paymentId: named?.id ?? null, userId })
    return undefined
  })
}
