import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { SeenRefund } from '#domain/payments/reversal.ts'
import { assignUnmatched } from '../../../control-plane/money/staff/assign-unmatched.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { readUnmatched } from '../../../control-plane/money/staff/staff-payments.ts'
import type { ObservedPayment, PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

/** The provider's present state, by its own id of the money. */
const told = new Map<string, ObservedPayment>()
const provider: PaymentProvider = toldProvider({
  id: 'stripe',
  open: ({ paymentId }) =>
    Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
  fetchState: ({ providerPaymentId }) => Promise.resolve(told.get(providerPaymentId) ?? null),
})
const till = tillOf(
  () => database,
  () => [provider],
)
const hint = (providerPaymentId: string) =>
  receiveHint(till.context(), { provider: 'stripe', eventId: null, kind: 'test', providerPaymentId })
const say = async (id: string, changes: Partial<ObservedPayment>) => {
  told.set(id, { ...observation(), ...told.get(id), ...changes })
  await hint(id)
}
const refunded = (minor: bigint, state: SeenRefund['state'] = 'succeeded', id = 're_1'): Partial<ObservedPayment> => ({
  refundedMinor: state === 'failed' ? 0n : minor,
  refunds: [{ id, refundId: null, minor, state }],
})
const disputed = (state: Exclude<Dispute, 'none'>, minor = 2500n): Partial<ObservedPayment> => ({
  dispute: state,
  disputes: [{ id: 'dp_1', minor, state }],
})
async function person() {
  const id = systemIds.next()
  await database.owner.query('insert into cms_api.people (id) values ($1)', [id])
  return id
}
/** 2500 Ft came for a payment of 1990. */
async function mismatched() {
  const userId = await person()
  const opened = await till.open({ method: 'stripe', userId })
  const { providerPaymentId } = opened
  await say(providerPaymentId, { reference: opened.paymentId, amount: observedAmount(forints(2500n)) })
  return { ...opened, unmatchedId: await idOf(providerPaymentId) }
}
/** 2500 Ft came that no payment waits for. */
async function unknown() {
  const providerPaymentId = `pi_${systemIds.next()}`
  await say(providerPaymentId, { reference: null, amount: observedAmount(forints(2500n)) })
  return { providerPaymentId, unmatchedId: await idOf(providerPaymentId) }
}
const idOf = async (providerPaymentId: string) =>
  (await till.unmatched(`provider_payment_id = '${providerPaymentId}'`))[0]?.id ?? ''
const assign = (unmatchedId: string, userId: string | null, amountFt?: number) =>
  assignUnmatched(till.context(), {
    staffId: systemIds.next(),
    unmatchedId,
    userId,
    reason: 'Found out by telephone.',
    requestId: 'r',
    ...(amountFt === undefined ? {} : { amountFt }),
  })
const rowOf = async (unmatchedId: string) =>
  (await readUnmatched(database.db, { all: true })).items.find(({ id }) => id === unmatchedId)
const debt = (userId: string) => readDebtFt(till.context().ledgerOn(database.db), userId)
const problemOf = async (userId: string) => (await till.paymentsOf(userId))[0]?.problem

describe.each([
  ['for a payment that it does not fit', mismatched],
  ['that no payment waits for', unknown],
])('an unmatched payment %s', (_name, unmatched) => {
  it('a refunded one shows it, and cannot be assigned', async () => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    await say(providerPaymentId, refunded(2500n))
    expect(await rowOf(unmatchedId)).toMatchObject({
      state: 'dismissed',
      wentBackMinor: '2500',
      resolution: 'It went back at the provider.',
    })
    const userId = await person()
    expect(await assign(unmatchedId, userId)).toEqual({ ok: false, code: 'RESOLVED' })
    expect(await till.money(userId)).toBe(0n)
  })

  it('a disputed one waits until the dispute is won', async () => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    await say(providerPaymentId, disputed('open'))
    const userId = await person()
    expect(await rowOf(unmatchedId)).toMatchObject({ state: 'dismissed', isDisputed: true })
    expect(await assign(unmatchedId, userId)).toEqual({ ok: false, code: 'RESOLVED' })
    await say(providerPaymentId, disputed('won'))
    expect(await rowOf(unmatchedId)).toMatchObject({ state: 'open', isDisputed: false, wentBackMinor: '0' })
    expect(await assign(unmatchedId, userId)).toMatchObject({ ok: true, creditedFt: 2500 })
  })

  it.each([
    ['given', false],
    ['put away', true],
  ])(
    'one that was %s returns the same result for the same key without another lookup, and refuses any other key',
    async (_name, isAway) => {
      const { unmatchedId, providerPaymentId } = await unmatched()
      const userId = await person()
      const staffId = systemIds.next()
      const act = (key: string, reason = 'Found out by telephone.') =>
        assignUnmatched(till.context(), {
          staffId,
          unmatchedId,
          userId: isAway ? null : userId,
          reason,
          requestId: 'r',
          idempotencyKey: key,
        })
      const key = systemIds.next()
      const done = await act(key)
      expect(done).toEqual(
        isAway ? { ok: true, state: 'dismissed', creditedFt: null } : { ok: true, state: 'assigned', creditedFt: 2500 },
      )
      told.delete(providerPaymentId)
      expect(await act(key)).toEqual(done)
      expect(await act(key, 'For another reason.')).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
      expect(await act(systemIds.next())).toEqual({ ok: false, code: 'RESOLVED' })
      expect(await till.money(userId)).toBe(isAway ? 0n : 2500n)
    },
  )

  it('a partly reversed one is worth the rest', async () => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    await say(providerPaymentId, refunded(900n))
    const userId = await person()
    expect(await assign(unmatchedId, userId)).toMatchObject({ ok: true })
    expect([await till.money(userId), await debt(userId)]).toEqual([1600n, 0n])
  })

  it('one is looked up before it is assigned: an unreported reversal is not credited', async () => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    const before = told.get(providerPaymentId)
    if (!before) throw new Error('nothing is told')
    told.set(providerPaymentId, { ...before, ...refunded(2500n) })
    const userId = await person()
    expect(await assign(unmatchedId, userId)).toEqual({ ok: false, code: 'RESOLVED' })
    told.delete(providerPaymentId)
    expect(await till.money(userId)).toBe(0n)
  })

  it.each([
    ['a refund', refunded(2500n), refunded(2500n, 'failed')],
    ['a dispute', disputed('lost'), disputed('won')],
  ])('after its assignment, %s takes it from its customer once, and gives it back', async (_what, away, back) => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    const userId = await person()
    await assign(unmatchedId, userId)
    expect(await till.money(userId)).toBe(2500n)
    await say(providerPaymentId, away)
    await Promise.all(Array.from({ length: 20 }, () => hint(providerPaymentId)))
    expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
    await say(providerPaymentId, back)
    await Promise.all(Array.from({ length: 20 }, () => hint(providerPaymentId)))
    expect(await till.money(userId)).toBe(2500n)
  })

  it('a disputed part of it is taken, and the rest stays', async () => {
    const { providerPaymentId, unmatchedId } = await unmatched()
    const userId = await person()
    await assign(unmatchedId, userId)
    await say(providerPaymentId, disputed('open', 700n))
    expect(await till.money(userId)).toBe(1800n)
  })

  it('a concurrent refund and assignment never credit missing money', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { providerPaymentId, unmatchedId } = await unmatched()
      const userId = await person()
      await Promise.all([
        assign(unmatchedId, userId),
        say(providerPaymentId, refunded(2500n)),
        ...Array.from({ length: 5 }, () => hint(providerPaymentId)),
      ])
      await hint(providerPaymentId)
      expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
    }
  })
})

describe('assigned unmatched payments', () => {
  it('an unmatched payment is not assigned to an erased account', async () => {
    const userId = await person()
    const { unmatchedId } = await unknown()
    await database.owner.query('insert into cms_api.erased_people (id) values ($1)', [userId])
    expect(await assign(unmatchedId, userId)).toEqual({ ok: false, code: 'NO_SUCH_USER' })
    expect(await till.money(userId)).toBe(0n)
  })

  it('concurrent assignments credit it once and take its reversals once', async () => {
    const { providerPaymentId, unmatchedId, userId } = await mismatched()
    told.set(providerPaymentId, { ...observation(), ...told.get(providerPaymentId), ...refunded(500n) })
    const answers = await Promise.all(Array.from({ length: 5 }, () => assign(unmatchedId, userId)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect([await till.money(userId), await debt(userId)]).toEqual([2000n, 0n])
  })

  it('a dispute first reported without an id is taken once, and given back when it is won', async () => {
    const userId = await person()
    const { providerPaymentId, unmatchedId } = await unknown()
    await assign(unmatchedId, userId)
    await say(providerPaymentId, { dispute: 'open' })
    await say(providerPaymentId, disputed('open'))
    expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
    await say(providerPaymentId, disputed('won'))
    expect([await till.money(userId), await debt(userId)]).toEqual([2500n, 0n])
  })
})

describe('the statement line of an assigned payment', () => {
  it('its line shows the reversed part', async () => {
    const userId = await person()
    const { providerPaymentId, unmatchedId } = await unknown()
    await assign(unmatchedId, userId)
    await say(providerPaymentId, refunded(700n))
    const lines = await till.statement(userId)
    expect(lines).toContainEqual({ type: 'top-up', amount: 2500, status: 'finished', refundedFt: 700 })
    await say(providerPaymentId, refunded(700n, 'failed'))
    expect(await till.statement(userId)).toContainEqual(expect.objectContaining({ type: 'top-up', refundedFt: 0 }))
  })
})

describe('the payment that an unmatched one belongs to', () => {
  it('a payment settled by an assignment is refunded and disputed like any other', async () => {
    const { userId, providerPaymentId, unmatchedId } = await mismatched()
    expect(await assign(unmatchedId, userId)).toMatchObject({ ok: true })
    await say(providerPaymentId, refunded(1000n))
    expect(await till.money(userId)).toBe(1500n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'settled', problem: null, refunded_ft: 1000n }])
    await say(providerPaymentId, { ...refunded(1000n), ...disputed('lost', 1500n) })
    expect(await till.money(userId)).toBe(0n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute: 'lost' }])
  })

  it.each([
    ['put away', () => Promise.resolve(null)],
    ['given to somebody else', person],
  ])('a payment has no problem once it is %s, is reported as failed, and stays so', async (_how, whose) => {
    const { userId, providerPaymentId, unmatchedId } = await mismatched()
    expect(await problemOf(userId)).toBe('AMOUNT_MISMATCH')
    expect(await assign(unmatchedId, await whose())).toMatchObject({ ok: true })
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'failed', problem: null }])
    expect(await till.statement(userId)).toMatchObject([{ status: 'failed' }])
    await hint(providerPaymentId)
    await hint(providerPaymentId)
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'failed', problem: null }])
    expect(await till.money(userId)).toBe(0n)
  })

  it('that payment is a problem again when the provider later reports something else', async () => {
    const { userId, providerPaymentId, unmatchedId } = await mismatched()
    await assign(unmatchedId, null)
    await say(providerPaymentId, { amount: observedAmount(forints(2600n)) })
    expect(await rowOf(unmatchedId)).toMatchObject({ state: 'open', forwardedFt: 2600 })
    expect(await problemOf(userId)).toBe('AMOUNT_MISMATCH')
  })

  it('a credited payment reported with another amount is a problem, and nothing moves', async () => {
    const opened = await till.open({ method: 'stripe', userId: await person() })
    const { userId, providerPaymentId, paymentId } = opened
    await say(providerPaymentId, { reference: paymentId, amount: observedAmount(forints(1990n)) })
    expect(await till.money(userId)).toBe(1990n)
    await say(providerPaymentId, { amount: observedAmount(forints(2500n)) })
    expect([await till.money(userId), await problemOf(userId)]).toEqual([1990n, 'AMOUNT_MISMATCH'])
    const unmatchedId = await idOf(providerPaymentId)
    expect(await assign(unmatchedId, userId)).toEqual({ ok: false, code: 'RESOLVED' })
    expect(await assign(unmatchedId, null)).toMatchObject({ ok: true })
    await hint(providerPaymentId)
    expect([await till.money(userId), await problemOf(userId)]).toEqual([1990n, null])
  })
})

describe('the amount entered by staff', () => {
  it.each([
    ['HUF with a fraction', { minor: 199_050n, currency: 'HUF', exponent: 2 }, 1990],
    ['another currency', { minor: 1_000n, currency: 'EUR', exponent: 2 }, 10_000],
  ])('the amount is limited by the provider’s data: %s', async (_name, amount, most) => {
    const providerPaymentId = `pi_${systemIds.next()}`
    await say(providerPaymentId, { reference: null, amount })
    const unmatchedId = await idOf(providerPaymentId)
    const userId = await person()
    expect(await rowOf(unmatchedId)).toMatchObject({ maximumFt: most, forwardedFt: null })
    for (const bad of [most + 1, 999_999, 0, -1, 0.5])
      expect(await assign(unmatchedId, userId, bad)).toEqual({ ok: false, code: 'AMOUNT_INVALID' })
    expect(await assign(unmatchedId, userId, most)).toMatchObject({ ok: true, creditedFt: most })
  })

  it('the amount is refused while the provider does not confirm the money', async () => {
    const { providerPaymentId, unmatchedId } = await unknown()
    told.delete(providerPaymentId)
    expect(await assign(unmatchedId, await person())).toEqual({ ok: false, code: 'RESOLVED' })
    expect(await rowOf(unmatchedId)).toMatchObject({ state: 'open' })
  })
})
