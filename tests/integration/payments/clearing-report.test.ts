import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { readUnmatched } from '../../../control-plane/money/staff/staff-payments.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { StripeEmulator } from '../../emulators/stripe/stripe-server.ts'
import { stripeRig } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'

const DAY = 86_400_000
let nowMs = START_MS
let database: ControlDatabase
let stripe: { emulator: StripeEmulator; provider: PaymentProvider }
beforeAll(async () => {
  database = await shopDatabase()
  stripe = await stripeRig({ now: () => nowMs })
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(async () => {
  await stripe.emulator.close()
  await database.close()
})

const till = tillOf(
  () => database,
  () => [stripe.provider],
)
const at = () => till.context({ now: () => nowMs })
const look = (paymentId: string) => checkPayment(at(), paymentId, { evenSettled: true })
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

async function paid(amount: number) {
  const opened = await till.open({ method: 'stripe', amount })
  stripe.emulator.books.confirm(opened.providerPaymentId, 'pm_card_visa', 'http://site.test/back')
  await look(opened.paymentId)
  return opened
}

/**
 * The amount that Stripe owes us by its books, by day, in forints: charges less refunds and disputes that are not won.
 */
function report(): Record<string, number> {
  const { charges, refunds, disputes } = stripe.emulator.books
  const moves = [
    ...[...charges.values()]
      .filter(({ paid: isPaid }) => isPaid)
      .map(({ created, amount }) => [created, amount] as const),
    ...[...refunds.values()]
      .filter(({ status }) => status === 'succeeded')
      .map(({ created, amount }) => [created, -amount] as const),
    ...[...disputes.values()]
      .filter(({ status }) => status !== 'won')
      .map(({ created, amount }) => [created, -amount] as const),
  ]
  const days: Record<string, number> = {}
  for (const [atS, minor] of moves) days[dayOf(atS * 1_000)] = (days[dayOf(atS * 1_000)] ?? 0) + minor / 100
  return days
}

/** The same amount by our clearing account: negative is owed to us. */
async function clearing(): Promise<Record<string, number>> {
  const rows = await database.owner.query<{ day: string; total: bigint }>(
    `select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, -sum(e.amount_minor)::bigint as total
     from control.ledger_entries e join control.ledger_accounts a on a.id = e.account_id
     join control.ledger_transactions t on t.id = e.tx_id
     where a.kind = 'provider_clearing' and a.provider = 'stripe' group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ day, total }) => [day, Number(total)]))
}

it('I12: a day’s postings match the provider’s report, except for listed unmatched payments', async () => {
  const { books } = stripe.emulator
  const first = await paid(5000)
  await paid(1990)
  const command = { staffId: systemIds.next(), paymentId: first.paymentId, reason: 'Asked for it.', requestId: 'r' }
  await refundPayment(at(), { ...command, amountFt: 1500, idempotencyKey: 'k' })
  nowMs += DAY
  const second = await paid(7000)
  books.refund(second.providerPaymentId, { amount: 100_000, metadata: {} })
  books.dispute(first.providerPaymentId, 'needs_response', { amount: 200_000 })
  await look(second.paymentId)
  await look(first.paymentId)
  nowMs += DAY
  await paid(3000)
  books.dispute(second.providerPaymentId, 'needs_response', { amount: 250_000 })
  await look(second.paymentId)
  expect(await clearing()).toEqual(report())
  expect(await clearing()).toEqual({
    [dayOf(START_MS)]: 5490,
    [dayOf(START_MS + DAY)]: 4000,
    [dayOf(START_MS + 2 * DAY)]: 500,
  })
  const stray = books.create({ amount: 250_000, currency: 'huf', metadata: {}, description: null })
  books.confirm(stray.id, 'pm_card_visa', 'http://site.test/back')
  await receiveHint(at(), { provider: 'stripe', eventId: null, kind: 'test', providerPaymentId: stray.id })
  const { items } = await readUnmatched(database.db, { all: false })
  const unmatched = items.reduce((sum, { forwardedFt }) => sum + (forwardedFt ?? 0), 0)
  const today = dayOf(nowMs)
  expect(unmatched).toBe(2500)
  expect({ ...(await clearing()), [today]: ((await clearing())[today] ?? 0) + unmatched }).toEqual(report())
})
