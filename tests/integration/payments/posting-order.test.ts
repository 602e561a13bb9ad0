import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { manualCredit } from '../../../control-plane/money/staff/manual-credit.ts'
import { assignUnmatched } from '../../../control-plane/money/staff/assign-unmatched.ts'
import type { PaymentContext } from '../../../control-plane/money/payments/payment-context.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import type { ObservedPayment, PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { documentsOf } from '../../factories/taxed-sales.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
  await database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup', seller_name = 'Bakter Kft.'`)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const told = new Map<string, Partial<ObservedPayment>>()
const provider: PaymentProvider = toldProvider({
  id: 'stripe',
  open: ({ paymentId }) =>
    Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
  fetchState: ({ providerPaymentId: id }) =>
    Promise.resolve(observation({ reference: id.slice(3), amount: observedAmount(forints(5000n)), ...told.get(id) })),
})
const till = tillOf(
  () => database,
  () => [provider],
)

/** A till that keeps every statement of its transactions, in their order. */
function recorded(): { context: PaymentContext; statements: string[] } {
  const context = till.context()
  const statements: string[] = []
  const transaction: typeof context.db.transaction = (work) =>
    context.db.transaction((tx) =>
      work({
        query: (text, values) => {
          statements.push(text)
          return tx.query(text, values)
        },
      }),
    )
  return { context: { ...context, db: { ...context.db, transaction } }, statements }
}
const isPosting = (text: string) => text.includes('control.ledger_post')
const isDocument = (text: string) => text.includes('insert into control.invoices ')

async function paid() {
  const userId = await billedPerson(database.owner)
  const opened = await till.open({ method: 'stripe', amount: 5000, userId })
  await checkPayment(till.context(), opened.paymentId)
  return opened
}
const refund = (at: number, minor: bigint) => ({ id: `re_${at}`, refundId: null, minor, state: 'succeeded' as const })
const dispute = (at: number, minor: bigint, state: 'open' | 'won' = 'open') => ({ id: `dp_${at}`, minor, state })

describe('postings of incoming money', () => {
  it('the posting comes after everything that blocks nobody: the provider’s account is locked only for the commit', async () => {
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_spend'`)
    const userId = await billedPerson(database.owner)
    const { paymentId } = await till.open({ method: 'stripe', amount: 5000, userId })
    const { context, statements } = recorded()
    await checkPayment(context, paymentId)
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup'`)
    expect(statements.findIndex(isPosting)).toBe(statements.length - 1)
    expect(await till.money(userId)).toBe(5000n)
  })

  it('the announced balance is the one after a debt was paid', async () => {
    const userId = await billedPerson(database.owner)
    await manualCredit(till.context(), {
      staffId: systemIds.next(),
      userId,
      reason: 'A mistake of an earlier correction.',
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      address: '',
      direction: 'debit',
      bucket: 'money',
      amountFt: 4000,
      withDebt: true,
    })
    await database.owner.query('delete from control.outbox')
    const next = await till.open({ method: 'stripe', amount: 5000, userId })
    await checkPayment(till.context(), next.paymentId)
    const events = await database.owner.query<{ balance: number }>(
      `select (payload -> 'message' -> 'data' ->> 'balance')::int as balance from control.outbox
       where payload -> 'message' ->> 'event' = 'balance.change'`,
    )
    const { available } = await till.context().ledgerOn(database.db).userBalance(userId, 'HUF')
    expect([events, available.minor]).toEqual([[{ balance: 1000 }], 1000n])
  })
})

describe('postings of reversed money', () => {
  it('postings come before any document, whatever one lookup reports', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    told.set(providerPaymentId, { disputes: [dispute(1, 900n)] })
    await checkPayment(till.context(), paymentId, { evenSettled: true })
    const disputes = [dispute(1, 900n, 'won'), dispute(2, 1000n), dispute(3, 500n)]
    told.set(providerPaymentId, { disputes, refunds: [refund(1, 700n), refund(2, 300n)] })
    const { context, statements } = recorded()
    await checkPayment(context, paymentId, { evenSettled: true })
    expect(statements.filter(isPosting)).toHaveLength(7)
    expect(statements.findLastIndex(isPosting)).toBeLessThan(statements.findIndex(isDocument))
    expect(await till.money(userId)).toBe(2500n)
    const documents = await documentsOf(database.owner, userId)
    expect(documents.reduce((sum, { gross }) => sum + gross, 0)).toBe(2500)
  })

  it('an assignment locks the customer before the payment too', async () => {
    const userId = await billedPerson(database.owner)
    const { paymentId, providerPaymentId } = await till.open({ method: 'stripe', amount: 3000, userId })
    told.set(providerPaymentId, { disputes: [dispute(1, 1000n)], refunds: [refund(1, 700n)] })
    await checkPayment(till.context(), paymentId)
    const [unmatched] = await till.unmatched(`provider_payment_id = '${providerPaymentId}'`)
    const { context, statements } = recorded()
    const given = await assignUnmatched(context, {
      staffId: systemIds.next(),
      unmatchedId: unmatched?.id ?? '',
      userId,
      requestId: 'r',
      reason: 'Found out by telephone.',
    })
    expect(given).toMatchObject({ ok: true, creditedFt: 5000 })
    expect(statements.filter(isPosting)).toHaveLength(4)
    expect(statements.findLastIndex(isPosting)).toBeLessThan(statements.findIndex(isDocument))
    const held = statements.findIndex((text) => text.includes('pg_advisory_xact_lock(hashtextextended($1, 0))'))
    const payment = statements.findIndex((text) => /from control\.payments where id = \$1 for update/.test(text))
    expect([held >= 0, payment > held]).toEqual([true, true])
    expect(await till.money(userId)).toBe(3300n)
    const documents = await documentsOf(database.owner, userId)
    expect(documents.reduce((sum, { gross }) => sum + gross, 0)).toBe(3300)
  })

  it('the number of statements does not depend on the number of reversals', async () => {
    const countOf = async (refunds: number) => {
      const { paymentId, providerPaymentId } = await paid()
      const many = Array.from({ length: refunds }, (_, at) => refund(at, 1n))
      const disputes = many.map((_, at) => dispute(at, 1n))
      told.set(providerPaymentId, { refunds: many, disputes })
      await checkPayment(till.context(), paymentId, { evenSettled: true })
      const { context, statements } = recorded()
      await checkPayment(context, paymentId, { evenSettled: true })
      return statements.length
    }
    expect(await countOf(20)).toBe(await countOf(1))
  })

  it('concurrent reports of an unmatched payment store it once', async () => {
    const providerPaymentId = `pi_${systemIds.next()}`
    told.set(providerPaymentId, { reference: null, refunds: [refund(1, 700n)], disputes: [dispute(1, 1000n)] })
    const hint = () => receiveHint(till.context(), { provider: 'stripe', eventId: null, kind: 'x', providerPaymentId })
    await Promise.all(Array.from({ length: 8 }, hint))
    expect(await till.unmatched(`provider_payment_id = '${providerPaymentId}'`)).toHaveLength(1)
    const [row] = await database.owner.query(
      'select went_back_minor, is_disputed from control.unmatched_payments where provider_payment_id = $1',
      [providerPaymentId],
    )
    expect(row).toEqual({ went_back_minor: 1700n, is_disputed: true })
  })
})
