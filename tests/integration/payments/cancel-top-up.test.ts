import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cancelTopUp } from '../../../control-plane/money/payments/cancel-top-up.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const context = () => paymentContext(database.db, {})
const started = async (userId: string) => {
  const result = await startTopUp(context(), topUpCommand(userId, { amount: 5_000 }))
  if (!result.ok) throw new Error(result.code)
  const sandboxId = result.answer.redirectUrl.split('/').at(-1) ?? ''
  const [payment] = await database.owner.query<{ id: string }>(
    'select id from control.payments where provider_payment_id = $1',
    [sandboxId],
  )
  return { sandboxId, paymentId: payment?.id ?? '', transaction: result.answer.transactionId }
}
const statusOf = async (userId: string) =>
  (await readStatement(database.db, { userId })).items.map((line) => line.status)
const money = async (userId: string) => (await balanceOf(database.db, userId)).money

test('a pending top-up is cancelled at once, without a notification of a failure', async () => {
  const userId = systemIds.next()
  const { transaction } = await started(userId)
  expect(await cancelTopUp(context(), { userId, transaction })).toMatchObject({ status: 'failed', next: null })
  expect(await statusOf(userId)).toEqual(['failed'])
  expect(await database.owner.query('select 1 from control.notifications where user_id = $1', [userId])).toEqual([])
  expect(await cancelTopUp(context(), { userId, transaction })).toMatchObject({ status: 'failed' })
})

test('money that arrives after the cancellation is credited once', async () => {
  const userId = systemIds.next()
  const { sandboxId, paymentId, transaction } = await started(userId)
  await cancelTopUp(context(), { userId, transaction })
  await decideSandboxPayment(context(), { id: sandboxId, decision: 'succeed' })
  await checkPayment(context(), paymentId)
  await checkPayment(context(), paymentId)
  expect(await statusOf(userId)).toEqual(['finished'])
  expect(await money(userId)).toBe(5_000n)
})

test('a payment that has arrived already is credited and not cancelled', async () => {
  const userId = systemIds.next()
  const { sandboxId, transaction } = await started(userId)
  await database.owner.query(`update control.payments set looked_at = null where user_id = $1`, [userId])
  await database.owner.query(
    `update control.sandbox_payments set state = 'succeeded', decided_at = now() where id = $1`,
    [sandboxId],
  )
  expect(await cancelTopUp(context(), { userId, transaction })).toMatchObject({ status: 'finished' })
  expect(await money(userId)).toBe(5_000n)
})

test('somebody else’s top-up is none', async () => {
  const userId = systemIds.next()
  const { transaction } = await started(userId)
  expect(await cancelTopUp(context(), { userId: systemIds.next(), transaction })).toBeUndefined()
  expect(await statusOf(userId)).toEqual(['processing'])
})
