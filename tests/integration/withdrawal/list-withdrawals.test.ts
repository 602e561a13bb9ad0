import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { listWithdrawals } from '../../../control-plane/money/withdrawal/list-withdrawals.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 500, memoryMiB: 10_000_000 })
})
afterAll(() => database.close())

/** A customer of so many servers, each ordered and renewed. */
async function customerOf(servers: number): Promise<string> {
  const userId = await userWith(database.db, BigInt(servers) * 2000n)
  for (let n = 0; n < servers; n += 1) {
    const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
    const renewed = await renewServer(
      orderContext(database.db, { now: () => START_MS }),
      renewCommand({ userId, serverId }),
    )
    if (!renewed.ok) throw new Error(renewed.code)
  }
  return userId
}

async function listed(userId: string, nowMs: number) {
  let statements = 0
  const db = {
    ...database.db,
    query: <Row extends object>(...asked: Parameters<Sql['query']>) => {
      statements += 1
      return database.db.query<Row>(...asked)
    },
  }
  const offers = await listWithdrawals({ ...orderContext(database.db, { now: () => nowMs }), db }, callerOf(userId))
  return { statements, offers }
}

it('the list needs as many queries for three servers as for one, and none for expired contracts', async () => {
  const [one, three] = [await customerOf(1), await customerOf(3)]
  const ofOne = await listed(one, START_MS + DAY_MS)
  const ofThree = await listed(three, START_MS + DAY_MS)
  expect(ofOne.offers.map(({ kind, laterRenewalFirst }) => [kind, laterRenewalFirst]).toSorted()).toEqual([
    ['order', true],
    ['renewal', false],
  ])
  expect(
    ofThree.offers.map(({ serverId }) => ofThree.offers.filter((each) => each.serverId === serverId).length),
  ).toEqual(Array.from({ length: 6 }, () => 2))
  expect(new Set(ofThree.offers.map(({ backFt }) => backFt))).toEqual(new Set(ofOne.offers.map(({ backFt }) => backFt)))
  expect(ofThree.statements).toBe(ofOne.statements)
  const late = await listed(three, START_MS + 20 * DAY_MS)
  expect(late.offers).toEqual([])
  expect(late.statements).toBeLessThanOrEqual(ofThree.statements)
})
