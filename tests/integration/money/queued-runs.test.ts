import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import type { JobName } from '../../../control-plane/platform/jobs/job-catalog.ts'
import type { Processors } from '../../../control-plane/platform/jobs/job-catalog.ts'
import { startWorkers } from '../../../control-plane/platform/jobs/workers.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { revertRejected } from '../../../control-plane/money/modification/revert-rejected.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { expireHolds } from '../../../control-plane/money/orders/settle-order.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { migrateQueueSchema } from '../../../control-plane/platform/queue-schema.ts'
import { openQueue } from '../../../control-plane/platform/queue.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { runPremiumCycle } from '../../../control-plane/money/premium/premium-cycle.ts'
import { readSpinAccount } from '../../../control-plane/money/wheel/spin-account.ts'
import { TAKE_WITHIN_MS } from '#domain/billing/rejected-resize.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { IDLE_PROCESSORS } from '../../factories/idle-processors.ts'
import { silentLog } from '#platform/logger.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { sellSizes } from '../../factories/size-changes.ts'
import { sizedServer } from '../../factories/sized-server.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'

const START_MS = Date.UTC(2026, 5, 1)
const DAY_MS = 86_400_000
let database: ControlDatabase
let shop: Shop
let redis: TestRedis
beforeAll(async () => {
  database = await shopDatabase(40)
  await migrateQueueSchema(database.url)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  redis = await startTestRedis()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(async () => {
  await database.close()
  await redis.stop()
})

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ redisUrl: redis.url })],
])('runs started repeatedly by two programs, with the queue on %s', (backend, options) => {
  /** Lets two programs carry a job out until it ran six times, each time beside the others. */
  async function carriedOut(job: JobName, part: (run: () => Promise<void>) => Partial<Processors>, use: () => unknown) {
    let runs = 0
    const name = `runs-${backend.toLowerCase()}-${systemIds.next().slice(-6)}`
    const run = async () => {
      await Promise.all([use(), use()])
      runs += 1
    }
    const queues = [1, 2].map(() => openQueue(name, { databaseUrl: database.url, ...options(), log: silentLog }))
    for (const queue of queues) {
      const processors = { ...IDLE_PROCESSORS, ...part(run) }
      await startWorkers({ log: silentLog, clock: systemClock, metrics: createMetrics(), queue, processors })
      await queue.every(job, 200, { requestId: 'schedule', payload: {} })
    }
    await waitFor('several runs', () => runs >= 6, 120_000)
    await Promise.all(queues.map((queue) => queue.close()))
  }

  it('T15: payments with lost webhooks are credited once each', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => userWith(database.db, 0n)))
    for (const userId of users) {
      const started = await startTopUp(paymentContext(database.db), topUpCommand(userId, { amount: 1990 }))
      if (!started.ok) throw new Error(started.code)
      const id = started.answer.redirectUrl.split('/').at(-1) ?? ''
      await decideSandboxPayment(paymentContext(database.db), { id, decision: 'succeed' })
    }
    const later = paymentContext(database.db, { now: () => START_MS + 60_000 })
    await carriedOut(
      'payment-reconcile',
      (reconcile) => ({ 'payment-reconcile': reconcile }),
      () => reconcilePayments(later),
    )
    for (const userId of users) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 1990n, held: 0n, available: 1990n })
      const told = await database.owner.query('select text from control.notifications where user_id = $1', [userId])
      expect(told).toEqual([{ text: 'topup.successful' }])
    }
  })

  it('T50: orders whose node never responded are refunded once each, with one notification', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => userWith(database.db, 990n)))
    for (const userId of users) {
      const placed = await placeOrder(at(START_MS), {
        caller: callerOf(userId),
        requestId: 'o',
        idempotencyKey: systemIds.next(),
        request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
      })
      expect(placed).toMatchObject({ ok: true })
    }
    await carriedOut(
      'hold-expiry',
      (expire) => ({ 'hold-expiry': expire }),
      () => expireHolds(at(START_MS + HOLD_MS)),
    )
    for (const userId of users) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 990n, held: 0n, available: 990n })
      const told = await database.owner.query('select text from control.notifications where user_id = $1', [userId])
      expect(told).toEqual([{ text: 'order.failed' }])
    }
  })

  it('T51: rejected sizes, and those without a response, are reverted once each, with one notification', async () => {
    await sellSizes(database.owner)
    const nowMs = START_MS + TAKE_WITHIN_MS
    const node = answeringNode(database, shop)
    await node.beatAt(START_MS)
    const customers = await Promise.all(
      Array.from({ length: 6 }, () => sizedServer(database.db, { shop, nowMs: START_MS })),
    )
    for (const [index, { userId, serverId }] of customers.entries()) {
      const changed = await modifyServer(at(START_MS), {
        caller: callerOf(userId),
        serverId,
        requestId: 'm',
        idempotencyKey: systemIds.next(),
        request: { resources: { cpuPercent: 200, ramMiB: 2048, storageMiB: 1024 } },
      })
      expect(changed).toMatchObject({ ok: true, answer: { chargeFt: 1500 } })
      expect(await node.askedAt(serverId, START_MS)).toEqual({ do: 'step', step: { kind: 'update' } })
      if (index % 2 === 0) await node.says(serverId, START_MS, { refusal: 'INTERNAL' })
    }
    await node.beatAt(nowMs)
    await carriedOut(
      'rejected-sizes',
      (reverse) => ({ 'rejected-sizes': reverse }),
      () => revertRejected(at(nowMs)),
    )
    for (const { userId, serverId } of customers) {
      expect(await balanceOf(database.db, userId)).toEqual({ money: 1500n, held: 0n, available: 1500n })
      const told = await database.owner.query(
        `select 1 from control.notifications where user_id = $1 and text = 'refund.size'`,
        [userId],
      )
      const [server] = await database.owner.query<Record<string, unknown>>(
        'select memory_mib as memory, monthly_price_ft as monthly, generation from control.servers where id = $1',
        [serverId],
      )
      expect([told.length, server]).toEqual([1, { memory: 1024, monthly: 1500n, generation: 3 }])
    }
  })

  it('T22: free spins of premium are granted once per 30 days', async () => {
    await database.owner.query(`update cms_api.premium_tiers set days = 90 where tier = 'ultimus'`)
    const users = await Promise.all(Array.from({ length: 5 }, () => userWith(database.db, 9000n)))
    for (const userId of users) {
      const bought = await purchasePremium(at(START_MS), {
        caller: callerOf(userId),
        requestId: 'p',
        idempotencyKey: systemIds.next(),
        request: { tier: 'ultimus' },
      })
      expect(bought).toMatchObject({ ok: true })
    }
    await carriedOut(
      'premium-cycle',
      (cycle) => ({ 'premium-cycle': cycle }),
      () => runPremiumCycle(at(START_MS + 61 * DAY_MS)),
    )
    for (const userId of users) expect((await readSpinAccount(database.db, userId)).granted).toBe(12)
    await database.owner.query(`update cms_api.premium_tiers set days = 30 where tier = 'ultimus'`)
  })
})
