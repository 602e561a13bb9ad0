import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { readStatement, writeStatementLine } from '../../../control-plane/money/wallet/statement.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => START_MS })
const statement = async (userId: string, page: Omit<Parameters<typeof readStatement>[1], 'userId'> = {}) =>
  (await readStatement(database.db, { userId, ...page })).items

/** Somebody with 3,960 Ft who ordered, renewed, and orders once more: 990 Ft each; a payment of 2,000 is on its way and one failed. */
async function lived() {
  const userId = await userWith(database.db, 3960n)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  const line = (status: 'processing' | 'failed') =>
    writeStatementLine(database.db, context(), {
      userId,
      type: 'top-up',
      paymentType: 'barion',
      amountFt: 2000n,
      status,
      reason: 'Top-up',
      document: { kind: 'payment', id: systemIds.next() },
    })
  await line('failed')
  await renewServer(context(), renewCommand({ userId, serverId }))
  await line('processing')
  const ordered = await placeOrder(context(), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'Second' },
  })
  if (!ordered.ok) throw new Error(ordered.code)
  await refundServer(context(), {
    staffId: systemIds.next(),
    serverId,
    amountFt: 100,
    reason: 'The node was down.',
    endServer: false,
    requestId: 'r',
    idempotencyKey: systemIds.next(),
  })
  return { userId, serverId, second: ordered.answer.serverId }
}

describe('a page of the statement', () => {
  it('each line has the balance after it, except pending and failed ones', async () => {
    const { userId } = await lived()
    const lines = await statement(userId)
    expect(lines.map(({ type, amount, status, balanceAfterFt }) => [type, amount, status, balanceAfterFt])).toEqual([
      ['refund', 100, 'finished', 1090],
      ['order', -990, 'processing', 990],
      ['top-up', 2000, 'processing', null],
      ['renewal', -990, 'finished', 1980],
      ['top-up', 2000, 'failed', null],
      ['order', -990, 'finished', 2970],
    ])
    expect(lines[0]?.balanceAfterFt).toBe(Number((await balanceOf(database.db, userId)).available))
    // The same on every page, whatever is left out.
    const after = new Map(lines.map(({ id, balanceAfterFt }) => [id, balanceAfterFt]))
    const second = await statement(userId, { limit: 2, before: lines[2]?.id })
    const servers = await statement(userId, { group: 'server' })
    for (const { id, balanceAfterFt } of [...second, ...servers]) expect(balanceAfterFt).toBe(after.get(id))
    expect(second.map(({ id }) => id)).toEqual([lines[3]?.id, lines[4]?.id])
  })

  it('a purchase shows its server and months, and a refund its server', async () => {
    const { userId, serverId, second } = await lived()
    const lines = await statement(userId)
    expect(lines.map(({ server, months }) => [server?.id ?? null, months])).toEqual([
      [serverId, null],
      [second, 1],
      [null, null],
      [serverId, 1],
      [null, null],
      [serverId, 1],
    ])
    expect(lines[1]?.server).toMatchObject({ name: 'Second', identifier: expect.stringMatching(/^[a-z0-9]+$/) })
  })

  it.each([
    ['top-up', ['top-up', 'top-up']],
    ['server', ['refund', 'order', 'renewal', 'order']],
    ['credit', ['refund']],
  ] as const)('the filter %s shows only lines of that kind', async (group, types) => {
    const { userId } = await lived()
    expect((await statement(userId, { group })).map(({ type }) => type)).toEqual(types)
  })

  it('the page contains nothing of anybody else', async () => {
    await lived()
    expect(await statement(await userWith(database.db, 500n))).toEqual([])
  })
})
