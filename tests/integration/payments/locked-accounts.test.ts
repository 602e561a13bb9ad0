import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { manualCredit } from '../../../control-plane/money/staff/manual-credit.ts'
import type { PaymentContext } from '../../../control-plane/money/payments/payment-context.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

type Told = { refunds: SeenRefund[]; disputes: SeenDispute[] }
const told = new Map<string, Told>()
const of = (paymentId: string): Told => {
  const known = told.get(paymentId) ?? { refunds: [], disputes: [] }
  told.set(paymentId, known)
  return known
}
const provider: PaymentProvider = toldProvider({
  id: 'stripe',
  open: ({ paymentId }) =>
    Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
  fetchState: ({ paymentId: reference }) =>
    Promise.resolve(observation({ reference, amount: observedAmount(forints(5000n)), ...of(reference) })),
})
const till = tillOf(
  () => database,
  () => [provider],
)
const look = (paymentId: string, context: PaymentContext = till.context()) =>
  checkPayment(context, paymentId, { evenSettled: true })
const has = async (userId: string) => [
  await till.money(userId),
  await readDebtFt(till.context().ledgerOn(database.db), userId),
]
const reason = 'A mistake of an earlier correction.'
const staff = (userId: string) => ({ staffId: systemIds.next(), userId, reason, requestId: 'r' })
const debit = (context: PaymentContext, userId: string, amountFt: number, withDebt: boolean) =>
  manualCredit(context, {
    ...staff(userId),
    idempotencyKey: systemIds.next(),
    address: '',
    direction: 'debit',
    bucket: 'money',
    amountFt,
    withDebt,
  })
const writeOff = (context: PaymentContext, userId: string) =>
  writeOffDebt(context, { ...staff(userId), idempotencyKey: systemIds.next() })

/** A customer whose first payment is spent, and who has paid a second one that nobody has looked at. */
async function spent() {
  const userId = await billedPerson(database.owner)
  const { paymentId: first } = await till.open({ method: 'stripe', amount: 5000, userId })
  await look(first)
  expect(await debit(till.context(), userId, 5000, false)).toMatchObject({ ok: true })
  const { paymentId: second } = await till.open({ method: 'stripe', amount: 5000, userId })
  return { userId, first, second }
}

/** Begins other work within a transaction, and leaves it the time to end where nothing holds it up. */
function beside(work: () => Promise<unknown>) {
  let begun: Promise<unknown> | undefined
  return {
    begin: async () => {
      begun ??= work()
      begun.catch(() => undefined)
      await Promise.race([begun, delay(1_000)])
    },
    end: () => begun,
  }
}

/** A context in which that work begins right after a balance was read. */
const afterReading = (begin: () => Promise<void>): PaymentContext => {
  const context = till.context()
  return {
    ...context,
    ledgerOn: (sql) => {
      const ledger = context.ledgerOn(sql)
      const account: typeof ledger.account = async (...asked) => {
        const state = await ledger.account(...asked)
        await begin()
        return state
      }
      return { ...ledger, account }
    },
  }
}

describe('decisions by a customer’s balance and debt', () => {
  it.each([
    [
      'a refund at the provider',
      ({ first }: { first: string }) => {
        of(first).refunds.push({ id: 're_1', refundId: null, minor: 5000n, state: 'succeeded' })
        return look(first)
      },
    ],
    ['a debit with debt', ({ userId }: { userId: string }) => debit(till.context(), userId, 5000, true)],
  ])('%s includes the money of a concurrent uncommitted top-up, and leaves no debt beside it', async (_name, take) => {
    const person = await spent()
    const taking = beside(() => take(person))
    const faults = (point: string) =>
      point === 'payment-settle.invoiced' ? taking.begin() : Promise.resolve(undefined)
    await look(person.second, till.context({ faults }))
    await taking.end()
    expect(await has(person.userId)).toEqual([0n, 0n])
  })

  it('a write-off covers the current debt, whatever pays it meanwhile', async () => {
    const { userId, second } = await spent()
    await debit(till.context(), userId, 5000, true)
    const paying = beside(() => look(second))
    expect(await writeOff(afterReading(paying.begin), userId)).toMatchObject({ ok: true, amountFt: 5000 })
    await paying.end()
    expect(await has(userId)).toEqual([5000n, 0n])
  })

  it('a won dispute ends the current debt, whatever pays it meanwhile', async () => {
    const { userId, first, second } = await spent()
    of(first).disputes.push({ id: 'dp_1', minor: 5000n, state: 'open' })
    await look(first)
    expect(await has(userId)).toEqual([0n, 5000n])
    of(first).disputes = [{ id: 'dp_1', minor: 5000n, state: 'won' }]
    const paying = beside(() => look(second))
    await look(first, afterReading(paying.begin))
    await paying.end()
    expect(await has(userId)).toEqual([5000n, 0n])
  })

  it('a payment of a debt pays the current debt, whatever writes it off meanwhile', async () => {
    const { userId, second } = await spent()
    await debit(till.context(), userId, 5000, true)
    const giving = beside(() => writeOff(till.context(), userId))
    await look(second, afterReading(giving.begin))
    expect(await giving.end()).toMatchObject({ ok: false, code: 'NO_DEBT' })
    expect(await has(userId)).toEqual([0n, 0n])
  })
})
