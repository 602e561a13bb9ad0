import { isAway, type Reversal } from '#domain/payments/reversal.ts'
import { planReversals, type OwnRefund, type ReversalStep } from '#domain/payments/reversal-plan.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { documentMovements, type Movement } from './money-back.ts'
import type { PaymentContext } from './payment-context.ts'
import { returnRefund } from './refund-end.ts'
import { giveBack, readTakenBack, takeBack, type HeldMoney, type TakenBack } from './take-back.ts'

type Followed = { readonly held: HeldMoney; readonly reversals: readonly Reversal[] }

/**
 * Posts the refunds and disputes that a provider lists for money credited to a customer: each is taken once, and given
 * back once if it fails or is won. Call it under the lock of the payment, or of the unmatched payment; idempotent. Last
 * in its transaction.
 */
export async function followReversals(tx: Sql, context: PaymentContext, followed: Followed): Promise<void> {
  await documentMovements(tx, context, await postReversals(tx, context, followed))
}

/** Only moves the money. The returned movements are documented after every other posting of the transaction. */
export async function postReversals(
  tx: Sql,
  context: PaymentContext,
  { held, reversals }: Followed,
): Promise<Movement[]> {
  if (reversals.length === 0) return []
  const rows = await readTakenBack(tx, held.documentId)
  const steps = planReversals({
    creditedFt: held.creditedFt,
    reversals,
    taken: rows.map(({ id, kind, source_id: sourceId, amount_ft: amountFt, state }) => ({
      id,
      kind,
      sourceId,
      amountFt,
      state,
    })),
    refunds: await readOwnRefunds(tx, held),
    isSettledByStaff: reversals.some(isForeign) && (await isSettledByStaff(tx, held)),
  })
  const movements: Movement[] = []
  for (const step of steps) movements.push(...(await carryOut(tx, context, { held, rows, step })))
  return movements
}

const isForeign = ({ kind, state }: Reversal): boolean => kind === 'refund' && isAway(state)

type One = { readonly held: HeldMoney; readonly rows: readonly TakenBack[]; readonly step: ReversalStep }

async function carryOut(tx: Sql, context: PaymentContext, { held, rows, step }: One): Promise<Movement[]> {
  if (step.do === 'return-refund') return returnRefund(tx, context, step.refundId)
  if (step.do === 'take') {
    const { kind, sourceId: id, amountFt } = step
    return [await takeBack(tx, context, { held, source: { kind, id }, amountFt })]
  }
  const row = rows.find(({ id }) => id === step.takenId)
  assert(row, 'What is given back was taken.')
  return [await giveBack(tx, context, { held, row })]
}

/** Our refunds belong to payments; an assigned payment has none. */
async function readOwnRefunds(tx: Sql, { documentId, paymentId }: HeldMoney): Promise<OwnRefund[]> {
  if (paymentId !== documentId) return []
  return tx.query<OwnRefund>('select id, amount_ft as "amountFt", state from control.refunds where payment_id = $1', [
    documentId,
  ])
}

/** The previous release kept such refunds for staff, who settled dismissed ones with a manual correction. */
async function isSettledByStaff(tx: Sql, { provider, providerPaymentId }: HeldMoney): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from control.unmatched_payments where provider = $1 and provider_payment_id = $2 and kind = 'refund'
       and state = 'dismissed' and resolved_by is not null`,
    [provider, providerPaymentId],
  )
  return rows.length > 0
}
