import { parseForints } from '#domain/payments/top-up.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { disputeOfAll } from '#domain/payments/reversal.ts'
import type { PaymentProviders } from './payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { followReversals } from './follow-reversals.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { PaymentContext } from './payment-context.ts'
import { heldOf, SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'
import { readReversals } from './provider-reversals.ts'
import { takenBackFt } from './refund-rows.ts'
import type { HeldMoney } from './take-back.ts'

export type CloseDispute = {
  readonly staffId: string
  readonly paymentId: string
  readonly outcome: 'won' | 'lost'
  /** The charged-back amount, if the provider reported no dispute; everything left without it. */
  readonly amountFt?: number | undefined
  readonly reason: string
  readonly requestId: string
  readonly idempotencyKey: string
}

export type ClosedDispute = { readonly dispute: Dispute; readonly amountFt: number }
export type CloseRefusal = 'NOT_FOUND' | 'INVALID_STATE' | 'AMOUNT_INVALID'
type Refused = { readonly ok: false; readonly code: CloseRefusal } | KeyRefusal

/** Whether staff record the outcome of this provider's disputes, because it does not report them itself. */
export const mayClose = (providers: PaymentProviders, provider: string): boolean =>
  providers.find(provider)?.capabilities.tellsDisputes !== true

/**
 * Records a dispute's outcome that a provider mailed to staff: the charge-back is final (`lost`), or was returned
 * (`won`). The money follows as if the provider had listed it. Returns the amount moved.
 */
export async function closeDispute(
  context: PaymentContext,
  command: CloseDispute,
): Promise<({ ok: true } & ClosedDispute) | Refused> {
  const { staffId, idempotencyKey: key, paymentId, outcome, amountFt, reason } = command
  const result = await context.db.transaction((tx) => {
    const body = { paymentId, outcome, amountFt: amountFt ?? null, reason }
    const keyed = { scope: 'close-dispute', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<ClosedDispute, Refused>(tx, keyed, () => close(tx, context, command))
  })
  return result.ok ? { ok: true, ...result.answer } : result
}

const refused = (code: CloseRefusal): { ok: false; code: CloseRefusal } => ({ ok: false, code })

async function close(
  tx: Sql,
  context: PaymentContext,
  command: CloseDispute,
): Promise<{ ok: true; answer: ClosedDispute } | { ok: false; code: CloseRefusal }> {
  const { paymentId, staffId, outcome, reason } = command
  const said = command.amountFt === undefined ? undefined : parseForints(command.amountFt)
  if (said?.ok === false) return refused('AMOUNT_INVALID')
  const [payment] = await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [paymentId])
  if (!payment) return refused('NOT_FOUND')
  if (payment.state !== 'settled' || !mayClose(context.providers, payment.provider)) return refused('INVALID_STATE')
  const held = heldOf(payment)
  const written =
    payment.dispute === 'none'
      ? await writeNew(tx, context, { held, command, saidFt: said?.amount.minor ?? held.creditedFt })
      : await writeEnd(tx, context, { held, command, known: payment.dispute })
  if (written !== 'ok') return refused(written)
  const before = await takenBackFt(tx, paymentId)
  const reversals = await readReversals(tx, held)
  await followReversals(tx, context, { held, reversals })
  const moved = (await takenBackFt(tx, paymentId)) - before
  const dispute = disputeOfAll(reversals.map(({ state }) => state))
  await tx.query('update control.payments set dispute = $2, updated_at = $3 where id = $1', [
    paymentId,
    dispute,
    new Date(context.clock.now()),
  ])
  const amountFt = Number(moved < 0n ? -moved : moved)
  const detail = { paymentId, outcome, amountFt, reason }
  await recordActivity(tx, context, { userId: staffId, type: 'staff.dispute-closed', status: 'success', detail })
  return { ok: true, answer: { dispute, amountFt } }
}

type Written = { held: HeldMoney; command: CloseDispute }

/** A dispute that was not known here; a won one moves nothing. */
async function writeNew(
  tx: Sql,
  { clock }: PaymentContext,
  { held, command, saidFt }: Written & { saidFt: bigint },
): Promise<'ok' | CloseRefusal> {
  if (command.outcome === 'won') return 'INVALID_STATE'
  const { provider, providerPaymentId, creditedFt } = held
  if (saidFt > creditedFt) return 'AMOUNT_INVALID'
  await tx.query(
    `insert into control.provider_reversals (provider, provider_payment_id, kind, reversal_id, amount_minor, whole_minor, state,
       closed_by, reason, seen_at, updated_at) values ($1, $2, 'dispute', '', $3, $4, 'lost', $5, $6, $7, $7)`,
    [
      provider,
      providerPaymentId,
      saidFt.toString(),
      creditedFt.toString(),
      command.staffId,
      command.reason,
      new Date(clock.now()),
    ],
  )
  return 'ok'
}

/** Open becomes lost or won, and lost may still become won; won is final. */
async function writeEnd(
  tx: Sql,
  { clock }: PaymentContext,
  { held, command, known }: Written & { known: Dispute },
): Promise<'ok' | CloseRefusal> {
  const { outcome, staffId, reason } = command
  if (known === 'won' || known === outcome) return 'INVALID_STATE'
  const from = outcome === 'won' ? ['open', 'lost'] : ['open']
  await tx.query(
    `update control.provider_reversals set state = $3, closed_by = $4, reason = $5, updated_at = $6
     where provider = $1 and provider_payment_id = $2 and kind = 'dispute' and state = any ($7)`,
    [held.provider, held.providerPaymentId, outcome, staffId, reason, new Date(clock.now()), from],
  )
  return 'ok'
}
