import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callMoney } from '../../factories/money-api.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'

const NOW = Date.UTC(2026, 10, 20)
let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

const orderFor = (bell: object | undefined) => ({
  id: systemIds.next(),
  to: 'anna@example.test',
  language: 'en',
  expiresAt: new Date(NOW + 86_400_000).toISOString(),
  content: {
    kind: 'code-guesses',
    params: { username: 'anna', address: '203.0.113.7', at: new Date(NOW).toISOString(), path: '/auth/passwordreset' },
  },
  ...(bell === undefined ? {} : { bell }),
})
const send = async (order: object) =>
  (await callMoney(paymentContext(database.db, { now: () => NOW }), 'send-mail', { input: { order } })).status
const bellOf = (userId: string) =>
  database.owner.query<{ text: string }>('select text from control.notifications where user_id = $1', [userId])

test('a mail that names a person rings their bell once, however often it is handed over (S6)', async () => {
  const userId = systemIds.next()
  const order = orderFor({ userId, text: 'security.codes' })
  expect([await send(order), await send(order)]).toEqual([200, 200])
  expect(await bellOf(userId)).toEqual([{ text: 'security.codes' }])
})

test('a mail that names nobody rings no bell', async () => {
  const count = async () => (await database.owner.query('select 1 from control.notifications')).length
  const before = await count()
  expect(await send(orderFor(undefined))).toBe(200)
  expect(await count()).toBe(before)
})
