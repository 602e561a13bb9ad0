import * as z from 'zod'
import type { Hint, ObservedPayment, PaymentProvider } from './payment-provider.ts'
import { parkMoney } from './park-money.ts'
import type { PaymentContext } from './payment-context.ts'
import { SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'
import { checkPayment } from './settle-payment.ts'

const Reference = z.uuid()

/**
 * A hint from outside: looks at the payment that it names. An event whose sender is proved is carried out once; one that
 * failed is carried out again when the provider repeats it. What the provider does not confirm changes nothing (T17).
 */
export async function receiveHint(context: PaymentContext, hint: Hint & { readonly provider: string }): Promise<void> {
  const provider = context.providers.find(hint.provider)
  if (!provider) return
  const eventId = provider.capabilities.signedHints ? hint.eventId : null
  if (eventId !== null && (await isCarriedOut(context, hint, eventId))) return
  const [payment] = await context.db.query<{ id: string }>(
    'select id from control.payments where provider = $1 and provider_payment_id = $2',
    [provider.id, hint.providerPaymentId],
  )
  if (payment) await checkPayment(context, payment.id, { evenSettled: true })
  else await lookAtUnknown(context, provider, hint.providerPaymentId)
  if (eventId === null) return
  await context.db.query(
    'update control.provider_events set processed_at = $3 where provider = $1 and event_id = $2 and processed_at is null',
    [provider.id, eventId, new Date(context.clock.now())],
  )
}

async function isCarriedOut(context: PaymentContext, hint: Hint & { provider: string }, eventId: string) {
  const [event] = await context.db.query<{ processed_at: Date | null }>(
    `insert into control.provider_events as e (provider, event_id, provider_payment_id, kind, received_at)
     values ($1, $2, $3, $4, $5)
     on conflict (provider, event_id) do update set kind = e.kind returning processed_at`,
    [hint.provider, eventId, hint.providerPaymentId, hint.kind, new Date(context.clock.now())],
  )
  return event?.processed_at instanceof Date
}

/** Money that no payment here waits for is parked, once the provider itself confirms it (T08, T10). */
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

/** Answers the payment that was opened and lost before its id at the provider was written; everything else is parked. */
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
    await parkMoney(tx, context, { ...unknown, problem, paymentId: named?.id ?? null, userId })
    return undefined
  })
}
