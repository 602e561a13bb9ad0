import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { checkTopUp } from '../../../control-plane/money/payments/check-top-up.ts'
import type { ObservedPayment } from '../../../control-plane/money/payments/payment-provider.ts'
import { AppError } from '../../../control-plane/platform/app-error.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

const PAGE = { kind: 'redirect', url: 'https://pay.test/' } as const

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

let looks = 0
let answer: () => Promise<ObservedPayment> = () => Promise.resolve(observation({ state: 'pending' }))
beforeEach(() => {
  looks = 0
  answer = () => Promise.resolve(observation({ state: 'pending' }))
})
const provider = toldProvider({
  open: ({ paymentId }) => Promise.resolve({ providerPaymentId: `p_${paymentId}`, next: PAGE }),
  fetchState: ({ paymentId }) => {
    looks += 1
    return answer().then((observed) => ({ ...observed, reference: paymentId }))
  },
})
const till = tillOf(
  () => database,
  () => [provider],
)
const open = (userId = systemIds.next()) => till.open({ method: 'sandbox', amount: 5000, userId })
const check = (userId: string, transaction: string, nowMs = START_MS + 60_000) =>
  checkTopUp(till.context({ now: () => nowMs }), { userId, transaction })

it('a paid top-up is found by its payment and by its statement line, and credited once', async () => {
  const { userId, paymentId, answer: opened } = await open()
  expect(await check(userId, paymentId)).toMatchObject({ status: 'processing', amountFt: 5000, next: PAGE })
  answer = () => Promise.resolve(observation())
  const settled = {
    transactionId: opened.transactionId,
    paymentId,
    method: 'sandbox',
    status: 'finished',
    amountFt: 5000,
    creditedFt: 5000,
    refundedFt: 0,
    next: null,
  }
  expect(await check(userId, opened.transactionId, START_MS + 120_000)).toEqual(settled)
  expect(await check(userId, paymentId, START_MS + 180_000)).toEqual(settled)
  expect(await till.money(userId)).toBe(5000n)
})

it('another person’s top-up is not found, and its provider is not asked', async () => {
  const { paymentId, answer: opened } = await open()
  const stranger = systemIds.next()
  for (const transaction of [paymentId, opened.transactionId, systemIds.next()])
    expect(await check(stranger, transaction)).toBeUndefined()
  expect(looks).toBe(0)
})

it('the known state is returned while the provider is unavailable', async () => {
  const { userId, paymentId } = await open()
  answer = () => Promise.reject(new AppError('PROVIDER_FAILURE', 'down', { retryable: true }))
  expect(await check(userId, paymentId)).toMatchObject({ paymentId, status: 'processing', next: PAGE })
  expect([looks, await till.money(userId)]).toEqual([1, 0n])
})

it('a failure of ours is not taken for one of the provider', async () => {
  const { userId, paymentId } = await open()
  answer = () => Promise.reject(new TypeError('a mistake'))
  await expect(check(userId, paymentId)).rejects.toThrow('a mistake')
})

it('a page that polls constantly causes one call within two seconds', async () => {
  const { userId, paymentId } = await open()
  const at = START_MS + 60_000
  for (const nowMs of [at, at + 500, at + 1_999]) await check(userId, paymentId, nowMs)
  expect(looks).toBe(1)
  await check(userId, paymentId, at + 2_000)
  expect(looks).toBe(2)
})
