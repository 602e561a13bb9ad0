import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { killedAtEveryStatement } from '../../factories/killed-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
})
afterAll(() => database.close())

const commandOf = (userId: string) => ({
  caller: callerOf(userId),
  requestId: 'r',
  idempotencyKey: `key-${userId}`,
  request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
})

const facts = async (userId: string) => {
  const [row] = await database.owner.query<Record<string, bigint>>(
    `select (select count(*) from control.orders where user_id = $1) as orders,
       (select count(*) from control.servers where owner_id = $1) as servers,
       (select count(*) from control.wallet_transactions where user_id = $1 and type = 'order') as lines,
       (select count(*) from control.ledger_holds where owner_id = $1) as holds,
       (select count(*) from control.allocations a join control.servers s on s.id = a.server_id where s.owner_id = $1) as ports`,
    [userId],
  )
  return row
}

describe('case 78, I9: PostgreSQL ends the connection at every statement', () => {
  it('placing an order writes all of it or nothing, and the same key then makes one order', async () => {
    let user = ''
    const statements = await killedAtEveryStatement(database, {
      attempt: async (db) => {
        user = await userWith(database.db, 990n)
        return placeOrder(orderContext(db), commandOf(user))
      },
      check: async () => {
        const { orders } = (await facts(user)) ?? {}
        expect(await facts(user)).toEqual({ orders, servers: orders, lines: orders, holds: orders, ports: orders })
        const retried = await placeOrder(orderContext(database.db), commandOf(user))
        expect(retried.ok).toBe(true)
        expect(await facts(user)).toEqual({ orders: 1n, servers: 1n, lines: 1n, holds: 1n, ports: 1n })
        expect(await balanceOf(database.db, user)).toEqual({ money: 990n, held: 990n, available: 0n })
      },
    })
    expect(statements).toBeGreaterThan(20)
  })

  it.each(['installed', 'failed'] as const)('settling an order as %s', async (outcome) => {
    let user = ''
    let serverId = ''
    const settle = (db: Database) => settleOrder(orderContext(db), { serverId, outcome, reason: 'r' })
    const statements = await killedAtEveryStatement(database, {
      attempt: async (db) => {
        user = await userWith(database.db, 990n)
        const placed = await placeOrder(orderContext(database.db), commandOf(user))
        serverId = placed.ok ? placed.answer.serverId : ''
        return settle(db)
      },
      check: async () => {
        await settle(database.db)
        const money = outcome === 'installed' ? 0n : 990n
        expect(await balanceOf(database.db, user)).toEqual({ money, held: 0n, available: money })
        const notices = await database.owner.query('select text from control.notifications where user_id = $1', [user])
        expect(notices).toHaveLength(outcome === 'installed' ? 2 : 1)
      },
    })
    // The till writes all that the customer is told with one statement.
    expect(statements).toBeGreaterThanOrEqual(10)
  })

  it('T05: settling a payment survives a lost connection at every statement', async () => {
    let user = ''
    let paymentId = ''
    const statements = await killedAtEveryStatement(database, {
      attempt: async (db) => {
        user = systemIds.next()
        const started = await startTopUp(paymentContext(database.db), topUpCommand(user))
        const id = started.ok ? (started.answer.redirectUrl.split('/').at(-1) ?? '') : ''
        await decideSandboxPayment(paymentContext(database.db), { id, decision: 'succeed' })
        const [row] = await database.owner.query<{ id: string }>('select id from control.payments where user_id = $1', [
          user,
        ])
        paymentId = row?.id ?? ''
        return checkPayment(paymentContext(db), paymentId)
      },
      check: async () => {
        await checkPayment(paymentContext(database.db), paymentId)
        expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 0n, available: 5000n })
        const notices = await database.owner.query('select text from control.notifications where user_id = $1', [user])
        expect(notices).toEqual([{ text: 'topup.successful' }])
      },
    })
    expect(statements).toBeGreaterThan(8)
  })
})
