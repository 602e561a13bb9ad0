import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { AppError } from '../../../control-plane/platform/app-error.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

const MINUTE = 60_000
let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterAll(() => database.close())

/** How each provider answers now, and which payments it was asked about. */
const conduct: Record<string, 'pays' | 'waits' | 'hangs' | 'fails'> = {}
const asked: string[] = []
const provider = (id: string): PaymentProvider =>
  toldProvider({
    id,
    open: ({ paymentId }) =>
      Promise.resolve({
        providerPaymentId: `${id}_${paymentId}`,
        next: { kind: 'redirect', url: 'https://pay.test/' },
      }),
    fetchState: async ({ paymentId }) => {
      asked.push(paymentId)
      if (conduct[id] === 'hangs') return new Promise(() => {})
      if (conduct[id] === 'fails') throw new AppError('PROVIDER_FAILURE', 'away', { retryable: true })
      await new Promise((resolve) => setTimeout(resolve, 5))
      const state = conduct[id] === 'waits' ? 'pending' : 'settled'
      return observation({ state, reference: paymentId, amount: observedAmount(forints(1990n)) })
    },
  })
const providers = [provider('stripe'), provider('barion'), provider('paypal')]
const till = tillOf(
  () => database,
  () => providers,
)
const reconcile = (atMs: number, lookMs = 60_000) => reconcilePayments(till.context({ now: () => atMs }), { lookMs })
const dueOf = async (paymentId: string) => {
  const [row] = await database.owner.query<{ next_check_at: Date; failures: number; claimed_until: Date | null }>(
    'select next_check_at, failures, claimed_until from control.payments where id = $1',
    [paymentId],
  )
  return row
}
const open = async (method: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => till.open({ method })))

describe('the reconciler', () => {
  it('T02: two concurrent programs look up different payments', async () => {
    conduct['stripe'] = 'waits'
    const payments = await open('stripe', 20)
    asked.length = 0
    await Promise.all(Array.from({ length: 4 }, () => reconcile(START_MS + MINUTE)))
    expect(asked.toSorted()).toEqual(payments.map(({ paymentId }) => paymentId).toSorted())
    conduct['stripe'] = 'pays'
    await reconcile(START_MS + 10 * MINUTE)
  })

  it('T15: a hanging provider delays only its own payments', async () => {
    Object.assign(conduct, { barion: 'hangs', paypal: 'fails', stripe: 'pays' })
    const hanging = await open('barion', 6)
    const failing = await open('paypal', 6)
    const paying = await open('stripe', 6)
    asked.length = 0
    expect(await reconcile(START_MS + MINUTE, 8_000)).toBe(6)
    for (const { userId } of paying) expect(await till.money(userId)).toBe(1990n)
    const lookedAt = (list: typeof hanging) => list.filter(({ paymentId }) => asked.includes(paymentId))
    // After three in a row the others wait for the next run, and are anybody's.
    expect([lookedAt(hanging).length, lookedAt(failing).length]).toEqual([3, 3])
    const free = await Promise.all(hanging.map(({ paymentId }) => dueOf(paymentId)))
    expect(free.every((row) => row?.claimed_until === null)).toBe(true)
    Object.assign(conduct, { barion: 'pays', paypal: 'pays' })
    await reconcile(START_MS + 3 * MINUTE)
    for (const { userId } of [...hanging, ...failing]) expect(await till.money(userId)).toBe(1990n)
  })

  it.each([
    ['tomorrow', '1 day'],
    ['never again', '40 days'],
  ])('refunds not reached in a run are looked up in the next, not %s', async (_name, ago) => {
    conduct['stripe'] = 'pays'
    const payments = await open('stripe', 6)
    await reconcile(START_MS + MINUTE)
    await database.owner.query(
      `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, state, next_check_at, request_id,
         created_at, updated_at)
       select gen_random_uuid(), p.id, p.user_id, 'stripe', 100, 'Asked for it.', p.user_id, 'succeeded', $2, 'r',
         $2::timestamptz - $3::interval, $2 from control.payments p where p.id = any ($1::uuid[])`,
      [payments.map(({ paymentId }) => paymentId), new Date(START_MS + 2 * MINUTE), ago],
    )
    conduct['stripe'] = 'fails'
    asked.length = 0
    await reconcile(START_MS + 3 * MINUTE)
    expect(asked).toHaveLength(3)
    const failed = [...asked]
    asked.length = 0
    conduct['stripe'] = 'pays'
    await reconcile(START_MS + 3 * MINUTE)
    expect([...asked, ...failed].toSorted()).toEqual(payments.map(({ paymentId }) => paymentId).toSorted())
    await database.owner.query(`update control.refunds set next_check_at = 'infinity'`)
  })

  it('a payment is postponed twice as long with each failure of its provider, up to an hour', async () => {
    conduct['paypal'] = 'fails'
    const [payment] = await open('paypal', 1)
    let atMs = START_MS + MINUTE
    const delays: number[] = []
    for (let times = 0; times < 10; times += 1) {
      await reconcile(atMs)
      const row = await dueOf(payment?.paymentId ?? '')
      delays.push(((row?.next_check_at.getTime() ?? 0) - atMs) / 1_000)
      atMs = row?.next_check_at.getTime() ?? atMs
    }
    expect(delays).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    conduct['paypal'] = 'waits'
    await reconcile(atMs)
    expect(await dueOf(payment?.paymentId ?? '')).toMatchObject({ failures: 0, claimed_until: null })
  })

  it('a run takes a bounded number of payments per provider, and the next one the rest', async () => {
    conduct['stripe'] = 'pays'
    const payments = await open('stripe', 30)
    asked.length = 0
    expect(await reconcile(START_MS + MINUTE)).toBe(25)
    expect(await reconcile(START_MS + MINUTE)).toBe(5)
    expect(new Set(asked)).toEqual(new Set(payments.map(({ paymentId }) => paymentId)))
  })

  it('payments of a disabled provider expire', async () => {
    const [payment] = await open('barion', 1)
    const without = tillOf(
      () => database,
      () => [providers[0] ?? provider('stripe')],
    )
    await reconcilePayments(without.context({ now: () => START_MS + 200 * 3_600_000 }))
    expect(await till.paymentsOf(payment?.userId ?? '')).toMatchObject([{ state: 'expired' }])
  })
})
