import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import type { ObservedPayment } from '../../../control-plane/money/payments/payment-provider.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(20)
})
afterAll(() => database.close())

const amount = observedAmount(forints(5000n))
const PENDING = observation({ state: 'pending' })
const FAILED = observation({ state: 'failed', failureCode: 'declined' })
const EXPIRED = observation({ state: 'expired' })
const SUCCEEDED = observation({ state: 'settled' })
const REFUNDED = observation({ state: 'settled', refundedMinor: amount.minor / 5n })
const DISPUTED = observation({ state: 'settled', dispute: 'open' })
const LOST = observation({ state: 'settled', dispute: 'lost' })
const WON = observation({ state: 'settled', dispute: 'won' })
/** The provider has no word for a capture yet, and knows of the dispute. */
const DISPUTED_EARLY = observation({ state: 'pending', dispute: 'open' })
const LOST_EARLY = observation({ state: 'pending', dispute: 'lost' })

const permutations = <Each>(of: readonly Each[]): Each[][] =>
  of.length < 2
    ? [[...of]]
    : of.flatMap((first, at) => permutations(of.filter((_, other) => other !== at)).map((rest) => [first, ...rest]))

/** The end of a new payment of a new customer after these looks: its state, the books, and what the customer reads. */
async function after(looks: readonly ObservedPayment[]) {
  const till = tillOf(
    () => database,
    () => [toldProvider({ open: ({ paymentId }) => Promise.resolve(opened(paymentId)) })],
  )
  const { userId, paymentId } = await till.open({ method: 'sandbox', amount: 5000 })
  for (const look of looks) {
    const told = toldProvider({ fetchState: () => Promise.resolve({ ...look, reference: paymentId }) })
    const context = paymentContext(database.db, { providers: { all: [told], find: () => told } })
    await checkPayment(context, paymentId, { evenSettled: true })
  }
  const [payment] = await till.paymentsOf(userId)
  const owed = await database.owner.query<{ balance_minor: bigint }>(
    `select balance_minor from control.ledger_accounts where owner_id = $1 and kind = 'user_debt'`,
    [userId],
  )
  return {
    state: payment?.state,
    dispute: payment?.dispute,
    refundedFt: payment?.refunded_ft,
    problem: payment?.problem,
    balance: await balanceOf(database.db, userId),
    owedFt: -(owed[0]?.balance_minor ?? 0n),
    credits: (await till.postings('top-up', paymentId)).length,
    status: (await till.statement(userId)).find(({ type }) => type === 'top-up')?.status,
  }
}
const opened = (paymentId: string) => ({
  providerPaymentId: `told-${paymentId}`,
  next: { kind: 'redirect', url: 'http://pay.test/told' } as const,
})

describe('case 62: reports of a provider in any order', () => {
  it.each<[string, readonly ObservedPayment[]]>([
    ['pending, expired, failed and succeeded', [PENDING, EXPIRED, FAILED, SUCCEEDED]],
    ['failed, pending, succeeded and refunded', [PENDING, FAILED, SUCCEEDED, REFUNDED]],
    ['a dispute that is lost, without any word of a capture', [PENDING, FAILED, DISPUTED_EARLY, LOST_EARLY]],
    ['a dispute that is won', [PENDING, SUCCEEDED, DISPUTED, WON]],
    ['a refund, and a dispute that is lost', [PENDING, REFUNDED, DISPUTED, LOST]],
  ])('case 62: %s has the same result in every permutation', async (_name, looks) => {
    const outcomes = []
    for (const order of permutations(looks)) outcomes.push(await after(order))
    const [first] = outcomes
    expect(first).toMatchObject({ state: 'settled', credits: 1, status: 'finished' })
    for (const outcome of outcomes) expect(outcome).toEqual(first)
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })
})
