import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTLE_PAYMENT_FAULTS } from '../../../control-plane/money/payments/payment-context.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { INVOICE_FAULTS } from '../../../control-plane/money/invoices/issue-invoice.ts'
import type { Processors } from '../../../control-plane/platform/jobs/job-catalog.ts'
import { startWorkers } from '../../../control-plane/platform/jobs/workers.ts'
import { LIFETIME_FAULTS } from '../../../control-plane/money/lifetime/lifetime-context.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { revertRejected, REJECTED_SIZE_FAULTS } from '../../../control-plane/money/modification/revert-rejected.ts'
import { SETTLE_ORDER_FAULTS } from '../../../control-plane/money/orders/order-context.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { migrateQueueSchema } from '../../../control-plane/platform/queue-schema.ts'
import { openQueue, type TaskQueue } from '../../../control-plane/platform/queue.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { IDLE_PROCESSORS } from '../../factories/idle-processors.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { refusedUpdate } from '../../factories/refused-update.ts'
import { silentLog } from '#platform/logger.ts'
import { balanceOf, callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { sellSizes, type Customer } from '../../factories/size-changes.ts'
import { sizedServer } from '../../factories/sized-server.ts'
import { topUpCommand } from '../../factories/till.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'
import { LARGE, sceneOn } from './fault-scenarios.ts'

const START_MS = Date.UTC(2026, 5, 1)
const DAY = 86_400_000
let database: ControlDatabase
let shop: Shop
let redis: TestRedis
beforeAll(async () => {
  database = await shopDatabase(40)
  await migrateQueueSchema(database.url)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  redis = await startTestRedis()
})
afterAll(async () => {
  await database.close()
  await redis.stop()
})

/** Every task is there twice and thrown out of twice, with a pause before each try: on a busy machine that takes a while. */
const comes = (what: string, condition: () => Promise<boolean> | boolean) => waitFor(what, condition, 120_000)

/** Throws at the point that is planned for a subject, the first two times that it is passed. */
function thrower(plan: ReadonlyMap<string, string>) {
  const visits = new Map<string, number>()
  const faultsFor = (subject: string) => async (point: string) => {
    if (plan.get(subject) !== point) return
    visits.set(subject, (visits.get(subject) ?? 0) + 1)
    if ((visits.get(subject) ?? 0) <= 2) throw new Error(point)
  }
  /** The points that were planned and never passed. */
  const missed = () => [...plan].filter(([subject]) => !visits.has(subject)).map(([, point]) => point)
  return { faultsFor, missed }
}

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ redisUrl: redis.url })],
])('I9: jobs that are thrown out of at each fault point, with the queue on %s', (backend, options) => {
  /** Two programs that work at one queue; every task is put there twice. */
  async function work(
    deps: Partial<Processors>,
    use: (add: (kind: string, payload: object) => Promise<void>) => Promise<void>,
  ) {
    const queues: TaskQueue[] = []
    const name = `faults-${backend.toLowerCase()}-${systemIds.next().slice(-6)}`
    for (let program = 0; program < 2; program += 1) {
      const queue = openQueue(name, { databaseUrl: database.url, ...options(), log: silentLog })
      const processors = { ...IDLE_PROCESSORS, ...deps }
      await startWorkers({ log: silentLog, clock: systemClock, metrics: createMetrics(), queue, processors })
      queues.push(queue)
    }
    const add = async (kind: string, payload: object) => {
      for (let copy = 0; copy < 2; copy += 1) {
        const task = { id: systemIds.next(), kind, data: { requestId: 'job', payload } }
        await queues[copy]?.add(task, { attempts: 10, backoffMs: 50 })
      }
    }
    await use(add).finally(() => Promise.all(queues.map((queue) => queue.close())))
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  }

  it('an order is settled once under every fault', async () => {
    const plan = new Map<string, string>()
    const users = new Map<string, string>()
    for (const point of [...SETTLE_ORDER_FAULTS, ...INVOICE_FAULTS]) {
      const userId = await userWith(database.db, 1_000n)
      const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' }
      const asked = { caller: callerOf(userId), requestId: 'o', idempotencyKey: userId }
      const placed = await placeOrder(sceneOn(database.db, {}), { ...asked, request })
      if (!placed.ok) throw new Error(placed.code)
      plan.set(placed.answer.serverId, point)
      users.set(placed.answer.serverId, userId)
    }
    const { faultsFor, missed } = thrower(plan)
    const settle: Processors['order-settle'] = (payload) =>
      settleOrder(sceneOn(database.db, {}, { faults: faultsFor(payload.serverId) }), payload)
    await work({ 'order-settle': settle }, async (add) => {
      for (const serverId of plan.keys()) await add('order-settle', { serverId, outcome: 'installed', reason: '' })
      await comes('every order', async () => {
        const open = await database.owner.query(`select 1 from control.orders where state = 'provisioning'`)
        return open.length === 0
      })
      await comes('every point', () => missed().length === 0)
    })
    for (const userId of users.values()) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 10n, held: 0n, available: 10n })
      expect(await database.owner.query('select 1 from control.invoices where user_id = $1', [userId])).toHaveLength(1)
    }
  })

  it('a payment is credited once under every fault', async () => {
    const plan = new Map<string, string>()
    const users: string[] = []
    for (const point of SETTLE_PAYMENT_FAULTS) {
      const userId = systemIds.next()
      await startTopUp(sceneOn(database.db, {}), topUpCommand(userId, { method: 'stripe', amount: 5000 }))
      const rows = await database.db.query<{ id: string }>('select id from control.payments where user_id = $1', [
        userId,
      ])
      plan.set(rows[0]?.id ?? '', point)
      users.push(userId)
    }
    const { faultsFor, missed } = thrower(plan)
    const check: Processors['payment-check'] = async ({ paymentId }) => {
      await checkPayment(sceneOn(database.db, {}, { faults: faultsFor(paymentId) }), paymentId, { evenSettled: true })
    }
    await work({ 'payment-check': check }, async (add) => {
      for (const paymentId of plan.keys()) await add('payment-check', { paymentId })
      await comes('every payment', async () => {
        const open = await database.owner.query(`select 1 from control.payments where state <> 'settled'`)
        return open.length === 0
      })
      await comes('every point', () => missed().length === 0)
    })
    for (const userId of users) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    }
  })

  it('T51: a rejected size is reverted once under every fault', async () => {
    await sellSizes(database.owner)
    const scene = sceneOn(database.db, {})
    const customers: Customer[] = []
    for (let count = 0; count < 5; count += 1) {
      const customer = await sizedServer(database.db, { shop, nowMs: START_MS })
      const asked = { caller: callerOf(customer.userId), requestId: 'm', idempotencyKey: systemIds.next() }
      const changed = await modifyServer(scene, {
        ...asked,
        serverId: customer.serverId,
        request: { resources: LARGE },
      })
      expect(changed).toMatchObject({ ok: true })
      await refusedUpdate(scene, { serverId: customer.serverId, nodeId: shop.nodeId })
      customers.push(customer)
    }
    const left = new Set<string>(REJECTED_SIZE_FAULTS)
    const faults = async (point: string) => {
      if (left.delete(point)) throw new Error(point)
    }
    const reverse = async () => void (await revertRejected(sceneOn(database.db, {}, { faults })))
    await work({ 'rejected-sizes': reverse }, async (add) => {
      await comes('every size', async () => {
        await add('rejected-sizes', {})
        const done = await database.owner.query(
          'select 1 from control.modifications where user_id = any ($1) and reversed_at is not null',
          [customers.map(({ userId }) => userId)],
        )
        return done.length >= 5 && left.size === 0
      })
    })
    for (const { userId } of customers) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 1500n, held: 0n, available: 1500n })
    }
  })

  it('a server is renewed automatically once under every fault', async () => {
    await database.owner.query(`update control.servers set lifetime_due_at = 'infinity'`)
    const userId = await userWith(database.db, 5n * 1980n)
    for (let count = 0; count < 5; count += 1) {
      const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
      await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
    }
    const nowMs = START_MS + 29.5 * DAY
    const left = new Set<string>(LIFETIME_FAULTS)
    const faults = async (point: string) => {
      if (left.delete(point)) throw new Error(point)
    }
    const run = async () => void (await runLifetime(sceneOn(database.db, {}, { faults, nowMs })))
    await work({ 'server-lifetime': run }, async (add) => {
      await comes('every server', async () => {
        await add('server-lifetime', {})
        const done = await database.owner.query('select 1 from control.renewals where user_id = $1', [userId])
        return done.length >= 5 && left.size === 0
      })
    })
    const renewals = await database.owner.query('select 1 from control.renewals where user_id = $1', [userId])
    expect(renewals).toHaveLength(5)
    expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
  })
})
