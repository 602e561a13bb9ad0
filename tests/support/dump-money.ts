import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { readDebtFt } from '../../control-plane/money/wallet/debt.ts'
import { refundPayment } from '../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../control-plane/money/payments/start-top-up.ts'
import { bonusGranted } from '../../control-plane/money/ledger/postings.ts'
import type { PaymentProvider } from '../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { purchasePremium } from '../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../control-plane/money/renewals/renew-server.ts'
import { setAutoRenewal } from '../../control-plane/money/renewals/set-auto-renewal.ts'
import { purchaseSpins, redeemCoupon } from '../../control-plane/money/wheel/more-spins.ts'
import { spinOnce } from '../factories/prizes.ts'
import { callerOf } from '../factories/shop.ts'
import { paymentContext, topUpCommand } from '../factories/till.ts'
import { observation, toldProvider } from '../factories/told-provider.ts'

const PROVIDERS = ['stripe', 'paypal', 'barion', 'phone', 'sandbox'] as const

/** The totals of a dump's money, beside the customer's balance. */
export type DumpedMoney = {
  readonly debtor: { readonly username: string; readonly debtFt: number }
  readonly invoices: number
  readonly unmatched: number
  readonly postings: number
  readonly tier: string
}

type Told = { amountFt: bigint; dispute: Dispute }

/** Providers with scripted responses; the product knows only their names. */
function banks(told: Map<string, Told>): PaymentProvider[] {
  const capabilities = { ...toldProvider().capabilities, refunds: 'partial' as const }
  return PROVIDERS.map((id) =>
    toldProvider({
      id,
      capabilities,
      open: ({ paymentId, amount }) => {
        told.set(paymentId, { amountFt: amount.minor, dispute: 'none' })
        return Promise.resolve({
          providerPaymentId: `${id}-${paymentId}`,
          next: { kind: 'redirect', url: 'https://pay.test/' },
        })
      },
      fetchState: ({ paymentId }) => {
        const { amountFt = 0n, dispute = 'none' } = told.get(paymentId) ?? {}
        return Promise.resolve(
          observation({ reference: paymentId, amount: observedAmount(forints(amountFt)), dispute }),
        )
      },
      refund: ({ refundId }) => Promise.resolve({ state: 'succeeded', providerRefundId: refundId, failureCode: null }),
    }),
  )
}

const must = <Result extends { ok: boolean; code?: string }>(result: Result): Extract<Result, { ok: true }> => {
  if (!result.ok) throw new Error(`refused: ${result.code}`)
  return result as Extract<Result, { ok: true }>
}

/**
 * Moves money in every possible way, for a customer with a server and for one who ends in debt, on a database whose
 * programs have stopped. Names, templates and prices are the demo's.
 */
export async function moveMoney(
  url: string,
  who: { customer: string; debtor: string; serverId: string; spinCode: string },
) {
  const db = openPostgres({ url, applicationName: 'dump', role: 'bakter_app' })
  const told = new Map<string, Told>()
  const all = banks(told)
  const providers = { all, find: (id: string) => all.find((each) => each.id === id) }
  const context = paymentContext(db, { now: () => Date.now(), providers })
  const idOf = async (username: string) =>
    (await db.query<{ id: string }>('select id from cms_api.people where username = $1', [username]))[0]?.id ?? ''
  const [userId, debtorId] = [await idOf(who.customer), await idOf(who.debtor)]
  const ask = (id: string) => ({ caller: callerOf(id), requestId: 'dump', idempotencyKey: systemIds.next() })
  const pay = async (id: string, wish: { method: string; amount: number; arrives?: bigint }) => {
    const started = must(await startTopUp(context, topUpCommand(id, wish)))
    const [row] = await db.query<{ id: string }>(
      'select document_id as id from control.wallet_transactions where id = $1',
      [started.answer.transactionId],
    )
    const paymentId = row?.id ?? ''
    if (wish.arrives !== undefined) told.set(paymentId, { amountFt: wish.arrives, dispute: 'none' })
    await checkPayment(context, paymentId)
    return paymentId
  }
  try {
    for (const method of PROVIDERS) await pay(userId, { method, amount: 2_500 })
    await pay(userId, { method: 'barion', amount: 1_000, arrives: 999n })
    const paymentId = await pay(userId, { method: 'stripe', amount: 3_000 })
    const reason = 'The customer asked for it.'
    must(await refundPayment(context, { ...ask(userId), staffId: debtorId, paymentId, amountFt: 1_200, reason }))
    await buyEverything(context, { userId, ...who }, ask)
    const owed = await pay(debtorId, { method: 'paypal', amount: 2_000 })
    must(await purchasePremium(context, { ...ask(debtorId), request: { tier: 'essentials' } }))
    told.set(owed, { amountFt: 2_000n, dispute: 'lost' })
    await checkPayment(context, owed, { evenSettled: true })
    return await factsOf(db, context, { userId, debtorId, debtor: who.debtor })
  } finally {
    await db.close()
  }
}

type Till = ReturnType<typeof paymentContext>
type Ask = (id: string) => { caller: ReturnType<typeof callerOf>; requestId: string; idempotencyKey: string }

async function buyEverything(
  context: Till,
  { userId, serverId, spinCode }: { userId: string; serverId: string; spinCode: string },
  ask: Ask,
): Promise<void> {
  const origin = { id: systemIds.next(), atMs: Date.now(), actor: 'system', requestId: 'dump' }
  const bonus = { id: systemIds.next(), userId, amount: forints(700n), reason: 'Welcome' }
  must(await context.ledgerOn(context.db).post(bonusGranted(origin, bonus)))
  must(await purchasePremium(context, { ...ask(userId), request: { tier: 'maximus' } }))
  must(await renewServer(context, { ...ask(userId), serverId, request: { months: 2 } }))
  must(await setAutoRenewal(context, { caller: callerOf(userId), serverId, enabled: true }))
  must(await purchaseSpins(context, { ...ask(userId), request: { count: 3 } }))
  must(await redeemCoupon(context, { caller: callerOf(userId), code: spinCode }))
  for (let spins = 0; spins < 4; spins += 1) must(await spinOnce(context, userId))
}

async function factsOf(
  db: Database,
  context: Till,
  { userId, debtorId, debtor }: { userId: string; debtorId: string; debtor: string },
): Promise<{ balance: { balanceFt: number; heldFt: number }; money: DumpedMoney }> {
  const ledger = context.ledgerOn(db)
  const { available, held } = await ledger.userBalance(userId, 'HUF')
  const [counts] = await db.query<{ invoices: number; unmatched: number; postings: number; tier: string }>(
    `select (select count(*)::int from control.invoices) as invoices,
       (select count(*)::int from control.unmatched_payments where state = 'open') as unmatched,
       (select count(*)::int from control.ledger_transactions) as postings,
       (select tier from control.premium_purchases where user_id = $1) as tier`,
    [userId],
  )
  if (!counts) throw new Error('There are no counts.')
  const debtFt = Number(await readDebtFt(ledger, debtorId))
  return {
    balance: { balanceFt: Number(available.minor), heldFt: Number(held.minor) },
    money: { debtor: { username: debtor, debtFt }, ...counts },
  }
}
