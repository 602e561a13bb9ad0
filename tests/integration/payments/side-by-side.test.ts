import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'
import { assignUnmatched } from '../../../control-plane/money/staff/assign-unmatched.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { manualCredit } from '../../../control-plane/money/staff/manual-credit.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { documentsOf } from '../../factories/taxed-sales.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
  await database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup', seller_name = 'Bakter Kft.'`)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  expect(await database.owner.query('select * from control.invoice_gaps')).toEqual([])
})
afterAll(() => database.close())

type Told = { refunds: SeenRefund[]; disputes: SeenDispute[]; isPaid: boolean }
const told = new Map<string, Told>()
const of = (id: string): Told => {
  const found = told.get(id) ?? { refunds: [], disputes: [], isPaid: false }
  told.set(id, found)
  return found
}
const providerOf = (id: string): PaymentProvider => {
  const base = toldProvider({ id })
  return {
    ...base,
    capabilities: { ...base.capabilities, refunds: 'partial' },
    open: ({ paymentId }) =>
      Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
    fetchState: ({ providerPaymentId }) => {
      const { refunds, disputes, isPaid } = of(providerPaymentId)
      const sent = refunds.reduce((sum, { minor, state }) => (state === 'succeeded' ? sum + minor : sum), 0n)
      const reference = providerPaymentId.startsWith('pi_') ? providerPaymentId.slice(3) : null
      const amount = observedAmount(forints(5000n))
      const state = isPaid ? 'settled' : 'pending'
      const dispute = disputes.at(-1)?.state ?? 'none'
      return Promise.resolve(observation({ state, reference, amount, refunds, disputes, dispute, refundedMinor: sent }))
    },
    refund: ({ providerPaymentId, refundId, amount }) => {
      const { refunds } = of(providerPaymentId)
      const id = `re_${refundId}`
      if (!refunds.some((each) => each.id === id)) {
        refunds.push({ id, refundId, minor: amount.minor, state: 'succeeded' })
      }
      return Promise.resolve({ state: 'succeeded', providerRefundId: id, failureCode: null })
    },
  }
}
const providers = ['stripe', 'paypal'].map(providerOf)
const till = tillOf(
  () => database,
  () => providers,
)
const look = (paymentId: string) => checkPayment(till.context(), paymentId, { evenSettled: true })
const staff = () => ({ staffId: systemIds.next(), requestId: 'r', idempotencyKey: systemIds.next() })
const reason = 'The customer asked for it on the telephone.'

async function opened(method: string, userId: string) {
  const { paymentId, providerPaymentId } = await till.open({ method, amount: 5000, userId })
  of(providerPaymentId).isPaid = true
  return { paymentId, providerPaymentId }
}
type Opened = Awaited<ReturnType<typeof opened>>

const refund = ({ paymentId }: Opened, amountFt: number) =>
  refundPayment(till.context(), { ...staff(), paymentId, amountFt, reason })
const credit = (userId: string, direction: 'credit' | 'debit', withDebt = false) =>
  manualCredit(till.context(), {
    ...staff(),
    userId,
    address: '',
    amountFt: 700,
    bucket: 'money',
    direction,
    withDebt,
    reason,
  })
async function unmatched(method: string) {
  const providerPaymentId = `lost_${systemIds.next()}`
  of(providerPaymentId).isPaid = true
  await receiveHint(till.context(), { provider: method, eventId: null, kind: 'paid', providerPaymentId })
  const [row] = await till.unmatched(`provider_payment_id = '${providerPaymentId}'`)
  return { unmatchedId: row?.id ?? '', providerPaymentId }
}

async function round(userId: string, number: number) {
  const [a, b, c] = [await opened('stripe', userId), await opened('paypal', userId), await opened('stripe', userId)]
  const lost = await unmatched(number % 2 === 0 ? 'stripe' : 'paypal')
  await Promise.all([a, b].map(({ paymentId }) => look(paymentId)))
  of(a.providerPaymentId).disputes.push({ id: `dp_${a.paymentId}`, minor: 5000n, state: 'open' })
  of(b.providerPaymentId).disputes.push({ id: `dp_${b.paymentId}`, minor: 2000n, state: 'open' })
  of(b.providerPaymentId).refunds.push({ id: `re_${b.paymentId}`, refundId: null, minor: 1000n, state: 'succeeded' })
  of(lost.providerPaymentId).disputes.push({ id: `dp_${lost.unmatchedId}`, minor: 1500n, state: 'open' })
  const lostHint = { provider: number % 2 === 0 ? 'stripe' : 'paypal', eventId: null, kind: 'x' }
  const acts = () => [
    look(a.paymentId),
    look(b.paymentId),
    look(c.paymentId),
    look(a.paymentId),
    refund(a, 1000),
    refund(b, 700),
    refund(c, 900),
    credit(userId, 'credit'),
    credit(userId, 'debit', true),
    writeOffDebt(till.context(), { ...staff(), userId, reason }),
    assignUnmatched(till.context(), { ...staff(), unmatchedId: lost.unmatchedId, userId, reason }),
    receiveHint(till.context(), { ...lostHint, providerPaymentId: lost.providerPaymentId }),
    reconcilePayments(till.context()),
  ]
  const first = await Promise.allSettled(acts())
  of(a.providerPaymentId).disputes = [{ id: `dp_${a.paymentId}`, minor: 5000n, state: 'won' }]
  of(lost.providerPaymentId).disputes = [{ id: `dp_${lost.unmatchedId}`, minor: 1500n, state: 'won' }]
  const { refunds } = of(b.providerPaymentId)
  refunds.splice(0, refunds.length, ...refunds.map((each) => ({ ...each, state: 'failed' as const })))
  const second = await Promise.allSettled(acts())
  return [...first, ...second].flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
}

/** All that a customer has and owes must be what came in less what went out, and the documents what stands of the top-ups. */
async function agrees(userId: string) {
  const [sums] = await database.owner.query<{ came: bigint; gone: bigint; given: bigint; stands: bigint }>(
    `select coalesce((select sum(coalesce(credited_ft, amount_ft)) from control.payments where user_id = $1 and state = 'settled'), 0)::bigint
        + coalesce((select sum(credited_ft) from control.unmatched_payments where user_id = $1 and state = 'assigned'), 0)::bigint as came,
       coalesce((select sum(amount_ft) from control.refunds where user_id = $1 and state <> 'failed'), 0)::bigint
        + coalesce((select sum(amount_ft) from control.chargebacks where user_id = $1 and state = 'taken'), 0)::bigint as gone,
       coalesce((select sum(case direction when 'credit' then balance_ft else -balance_ft - debt_ft end)
         from control.manual_credits where user_id = $1), 0)::bigint as given`,
    [userId],
  )
  const [written] = await database.owner.query<{ off: bigint }>(
    `select coalesce(sum((detail ->> 'amountFt')::bigint), 0)::bigint as off from control.activities
     where user_id = $1 and type = 'debt.written-off'`,
    [userId],
  )
  const [kept] = await database.owner.query<{ off: bigint }>(
    `select coalesce(sum(written_off_ft), 0)::bigint as off from control.chargebacks where user_id = $1 and state <> 'taken'`,
    [userId],
  )
  const debtFt = await readDebtFt(till.context().ledgerOn(database.db), userId)
  const expected =
    (sums?.came ?? 0n) - (sums?.gone ?? 0n) + (sums?.given ?? 0n) + (written?.off ?? 0n) - (kept?.off ?? 0n)
  expect((await till.money(userId)) - debtFt).toBe(expected)
  const invoiced = (await documentsOf(database.owner, userId)).reduce((sum, { gross }) => sum + gross, 0)
  expect(invoiced).toBe(Number((sums?.came ?? 0n) - (sums?.gone ?? 0n)))
}

describe('concurrent movements of one customer’s money', () => {
  it('T01, T02: all movements end without an error, and books and documents agree', { timeout: 300_000 }, async () => {
    const people = await Promise.all([0, 1].map(() => billedPerson(database.owner)))
    for (let number = 0; number < 4; number += 1) {
      const errors = await Promise.all(people.map((userId) => round(userId, number)))
      expect(errors.flat()).toEqual([])
      for (const userId of people) await agrees(userId)
    }
  })
})
