import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTLE_PAYMENT_FAULTS, TOP_UP_FAULTS } from '../../../control-plane/money/payments/payment-context.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { PLACE_ORDER_FAULTS, SETTLE_ORDER_FAULTS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { killedAt, untilFree } from '../../support/crashes.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Work } from './order-process.ts'

const SCRIPT = new URL('./order-process.ts', import.meta.url)
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
})
afterAll(() => database.close())

const killed = (fault: string, work: Work) => killedAt(SCRIPT, { databaseUrl: database.url, work, fault })

const commandOf = (userId: string) => ({
  caller: callerOf(userId),
  requestId: 'r',
  idempotencyKey: `key-${userId}`,
  request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
})

const ordersOf = (userId: string) =>
  database.owner.query<{ state: string; desired: string }>(
    `select o.state, s.desired from control.orders o join control.servers s on s.id = o.server_id where o.user_id = $1`,
    [userId],
  )
const holdsOf = (userId: string) =>
  database.owner.query('select 1 from control.ledger_holds where owner_id = $1', [userId])
const violations = () => database.owner.query('select * from control.ledger_violations')
/** Work that was handed on for an order that does not exist. */
const strayMessages = () =>
  database.owner.query(
    `select topic from control.outbox where topic = 'provision-server'
     and payload ->> 'orderId' not in (select id::text from control.orders)`,
  )

const SETTLEMENTS = SETTLE_ORDER_FAULTS.flatMap((fault) => [[fault, 'installed'] as const, [fault, 'failed'] as const])
  // An order that was not delivered is not invoiced.
  .filter(([fault, outcome]) => fault !== 'order-settle.invoiced' || outcome === 'installed')

describe('case 78, I9: kill -9 of the control plane at every fault point', () => {
  it.each(sliceOf(PLACE_ORDER_FAULTS, 3))('of placing an order: %s', async (fault) => {
    const user = await userWith(database.db, 990n)
    await killed(fault, { do: 'place', command: commandOf(user) })
    const orders = await ordersOf(user)
    expect(orders).toHaveLength(fault === 'order.committed' ? 1 : 0)
    expect(await holdsOf(user)).toHaveLength(orders.length)
    expect(await strayMessages()).toEqual([])
    expect(await balanceOf(database.db, user)).toMatchObject({
      money: 990n,
      available: orders.length === 1 ? 0n : 990n,
    })
    // The browser repeats its request under the same key: one server, one charge.
    expect(await untilFree(() => placeOrder(orderContext(database.db), commandOf(user)))).toMatchObject({ ok: true })
    expect(await ordersOf(user)).toEqual([{ state: 'provisioning', desired: 'installed' }])
    expect(await balanceOf(database.db, user)).toEqual({ money: 990n, held: 990n, available: 0n })
    expect(await violations()).toEqual([])
  })

  it.each(sliceOf(SETTLEMENTS, 3))('of settling an order: %s, %s', async (fault, outcome) => {
    const user = await userWith(database.db, 990n)
    const placed = await placeOrder(orderContext(database.db), commandOf(user))
    const serverId = placed.ok ? placed.answer.serverId : ''
    const settled = { serverId, outcome, reason: 'r' }
    await killed(fault, { do: 'settle', outcome: settled })
    const { money, available } = await balanceOf(database.db, user)
    // Either nothing of it happened, or all.
    const whole = outcome === 'installed' ? [0n, 0n] : [990n, 990n]
    expect([money, available]).toEqual(fault === 'order-settle.committed' ? whole : [990n, 0n])
    // The job is delivered again.
    await settleOrder(orderContext(database.db), settled)
    await settleOrder(orderContext(database.db), settled)
    expect(await ordersOf(user)).toEqual(
      outcome === 'installed'
        ? [{ state: 'completed', desired: 'installed' }]
        : [{ state: 'failed', desired: 'deleted' }],
    )
    const invoices = await database.owner.query('select 1 from control.invoices where user_id = $1', [user])
    expect(invoices).toHaveLength(outcome === 'installed' ? 1 : 0)
    expect(await balanceOf(database.db, user)).toEqual({ money: whole[0], held: 0n, available: whole[1] })
    expect(await violations()).toEqual([])
  })

  it.each(sliceOf(TOP_UP_FAULTS, 3))('of starting a top-up: %s', async (fault) => {
    const user = systemIds.next()
    const command = topUpCommand(user, { key: `key-${user}` })
    await killed(fault, { do: 'top-up', command })
    const first = await untilFree(() => startTopUp(paymentContext(database.db), command))
    expect(first).toMatchObject({ ok: true })
    expect(await startTopUp(paymentContext(database.db), command)).toEqual(first)
    const count = (table: string) => database.owner.query(`select 1 from control.${table} where user_id = $1`, [user])
    expect(await count('payments')).toHaveLength(1)
    expect(await count('wallet_transactions')).toHaveLength(1)
    const opened = await database.owner.query(
      'select 1 from control.sandbox_payments where reference in (select id::text from control.payments where user_id = $1)',
      [user],
    )
    expect(opened).toHaveLength(1)
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 0n })
  })

  it.each(sliceOf(SETTLE_PAYMENT_FAULTS, 3))('T04, T05: of settling a payment: %s', async (fault) => {
    const user = systemIds.next()
    const started = await startTopUp(paymentContext(database.db), topUpCommand(user))
    const id = started.ok ? (started.answer.redirectUrl.split('/').at(-1) ?? '') : ''
    await decideSandboxPayment(paymentContext(database.db), { id, decision: 'succeed' })
    const [row] = await database.owner.query<{ id: string }>('select id from control.payments where user_id = $1', [
      user,
    ])
    await killed(fault, { do: 'check-payment', paymentId: row?.id ?? '' })
    const after = await balanceOf(database.db, user)
    expect(after.money).toBe(fault === 'payment-settle.committed' ? 5000n : 0n)
    await waitFor('the payment of the killed process', async () => {
      await reconcilePayments(paymentContext(database.db, { now: () => Date.UTC(2026, 5, 1) + 3_600_000 }))
      return (await balanceOf(database.db, user)).money > 0n || undefined
    })
    expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    const notices = await database.owner.query('select text from control.notifications where user_id = $1', [user])
    expect(notices).toEqual([{ text: 'topup.successful' }])
    expect(await violations()).toEqual([])
  })
})
