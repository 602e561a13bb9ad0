import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { recordGivenBack } from '../../../control-plane/money/invoices/correct-sale.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

const PRICE_FT = 990n

/** Whether a transaction waits for an advisory lock, as one does behind another return of the same sale. */
const isWaiting = async () =>
  (
    await database.owner.query(`select 1 from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`)
  ).length > 0

test('two returns of a whole sale at the same time return it once', async () => {
  const context = orderContext(database.db)
  const userId = await userWith(database.db, PRICE_FT)
  const { orderId } = await paidServer(database.db, { shop, userId, nowMs: Date.UTC(2026, 5, 1) })
  const giveBack = (hold: () => Promise<void> = async () => {}) =>
    database.db.transaction(async (tx) => {
      const cause = { type: 'refund', id: systemIds.next() } as const
      await recordGivenBack(tx, context, { sale: { kind: 'order', id: orderId }, givenBackFt: PRICE_FT, cause })
      await hold()
    })
  let release: () => void = () => {}
  let isHeld = false
  const first = giveBack(
    () =>
      new Promise<void>((resolve) => {
        release = resolve
        isHeld = true
      }),
  )
  await waitFor('the first return', () => isHeld)
  let hasEnded = false
  const second = giveBack().then(
    () => 'returned',
    () => 'refused',
  )
  void second.then(() => (hasEnded = true))
  await waitFor('the second return', async () => hasEnded || (await isWaiting()))
  release()
  await first
  expect(await second).toBe('refused')
  const returned = 'select sum(given_back_ft)::int as ft from control.sale_corrections where sale_id = $1'
  expect(await database.owner.query(returned, [orderId])).toEqual([{ ft: Number(PRICE_FT) }])
})
