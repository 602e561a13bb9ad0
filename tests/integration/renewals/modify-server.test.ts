import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { MODIFICATION_FAULTS, modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { quoteModification } from '../../../control-plane/money/modification/quote-modification.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { observing } from '../../factories/observing.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { forints } from '#domain/billing/money.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number, faults: FaultPoint = async () => {}) =>
  orderContext(database.db, { now: () => nowMs, faults })

async function customerWith(restFt: bigint, { bonusFt = 0n, size = SMALL } = {}) {
  const userId = await userWith(database.db, 1500n + restFt)
  if (bonusFt > 0n) {
    const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
    const grant = { id: systemIds.next(), userId, amount: forints(bonusFt), reason: 'Welcome' }
    await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, grant))
  }
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: size, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId }
}
type Customer = Awaited<ReturnType<typeof customerWith>>

const wishOf = ({ userId, serverId }: Customer, resources: typeof SMALL, expectedChargeFt?: number) => ({
  caller: callerOf(userId),
  serverId,
  idempotencyKey: systemIds.next(),
  requestId: 'm',
  request: { resources, ...(expectedChargeFt === undefined ? {} : { expectedChargeFt }) },
})
const serverOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select monthly_price_ft::int as monthly, memory_mib as memory, spec -> 'limits' ->> 'memoryMiB' as wanted, generation,
         expires_at as expiry from control.servers where id = $1`,
      [serverId],
    )
  )[0]
const money = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).available

describe('resizing for the rest of the paid time', () => {
  it('an upgrade costs the difference of the monthly prices for the remaining days, and keeps the expiry', async () => {
    const customer = await customerWith(5000n)
    const nowMs = START_MS + 10 * DAY_MS
    const wanted = { caller: callerOf(customer.userId), serverId: customer.serverId, resources: LARGE }
    const shown = await quoteModification(at(nowMs), wanted)
    expect(shown).toMatchObject({
      quote: { days: 20, monthlyFt: 1500, newMonthlyFt: 3000, chargeFt: 1000, backFt: 0, balanceAfterFt: 4000 },
    })
    const modified = await modifyServer(at(nowMs), wishOf(customer, LARGE, 1000))
    expect(modified).toMatchObject({ ok: true, answer: { chargeFt: 1000, monthlyFt: 3000 } })
    expect(await money(customer)).toBe(4000n)
    expect(await serverOf(customer)).toEqual({
      monthly: 3000,
      memory: 2048,
      wanted: '2048',
      generation: 2,
      expiry: new Date(EXPIRY_MS),
    })
    const lines = await database.owner.query(
      `select type, amount_ft, document_kind from control.wallet_transactions where user_id = $1 order by id desc limit 1`,
      [customer.userId],
    )
    expect(lines).toEqual([{ type: 'server modification', amount_ft: -1000n, document_kind: 'modification' }])
    // T38: the next month costs what the new size costs.
    expect(await renewServer(at(nowMs), renewCommand(customer))).toMatchObject({ answer: { totalFt: 3000 } })
  })

  it('the owner’s premium tier discounts the upgrade, and the next month too', async () => {
    const customer = await customerWith(9000n)
    const premium = { tier: 'maximus', expectedPriceFt: 1990 } as const
    const bought = await purchasePremium(at(START_MS), {
      caller: callerOf(customer.userId),
      requestId: 'p',
      idempotencyKey: systemIds.next(),
      request: premium,
    })
    expect(bought).toMatchObject({ ok: true })
    // 10 % of 1,500 and of 3,000 Ft.
    expect(await modifyServer(at(START_MS), wishOf(customer, LARGE, 1350))).toMatchObject({
      answer: { chargeFt: 1350 },
    })
    expect(await renewServer(at(START_MS), renewCommand(customer))).toMatchObject({ answer: { totalFt: 2700 } })
    expect(await money(customer)).toBe(9000n - 1990n - 1350n - 2700n)
    // The amount that was paid comes back, not the list's amount.
    expect(await modifyServer(at(START_MS), wishOf(customer, SMALL))).toMatchObject({ answer: { backFt: 2700 } })
  })

  it('T34: an upgrade at the start costs the whole difference, and at the end no resize is possible', async () => {
    const customer = await customerWith(5000n)
    expect(await modifyServer(at(START_MS), wishOf(customer, LARGE))).toMatchObject({ answer: { chargeFt: 1500 } })
    expect(await modifyServer(at(EXPIRY_MS), wishOf(customer, SMALL))).toMatchObject({ code: 'SERVER_EXPIRED' })
  })

  it('T35: repeated resizes back and forth within a period drift by no more than a forint', async () => {
    const customer = await customerWith(9000n)
    const nowMs = START_MS + 13 * DAY_MS
    const before = await money(customer)
    const moved: number[] = []
    for (const size of [LARGE, { ...LARGE, ramMiB: 4096 }, SMALL, LARGE, SMALL]) {
      const modified = await modifyServer(at(nowMs), wishOf(customer, size))
      moved.push(modified.ok ? modified.answer.chargeFt - modified.answer.backFt : 0)
    }
    // 17 days of 1,500 Ft, then of 1,000 Ft more, and each back again.
    expect(moved).toEqual([850, 567, -1417, 850, -850])
    const drift = (await money(customer)) - before
    expect(drift >= -1n && drift <= 1n).toBe(true)
    expect(await serverOf(customer)).toMatchObject({ monthly: 1500, wanted: '1024' })
  })

  it('T27: only paid money is refunded: a bonus as a bonus, and nothing more after a price rise', async () => {
    const customer = await customerWith(0n, { bonusFt: 2000n, size: LARGE })
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 500n })
    await database.owner.query(
      `update cms_api.services set resources = jsonb_set(resources, '{ramMiB,unitPriceFt}', '600')`,
    )
    const back = await modifyServer(at(START_MS), wishOf(customer, { ...SMALL, cpuPercent: 100 }))
    await database.owner.query(
      `update cms_api.services set resources = jsonb_set(resources, '{ramMiB,unitPriceFt}', '500')`,
    )
    expect(back).toMatchObject({ answer: { backFt: 1400, monthlyFt: 1600 } })
    // 1,000 Ft of the price were money, the rest was the bonus.
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 1500n, available: 1900n })
  })

  it('T27: after a half-price coupon and a price rise, a downgrade and a cancellation refund no more than was paid', async () => {
    await database.owner.query(
      `insert into cms_api.coupons (id, name, code, type, amount, usage, active) values ($1, 'h', 'HALF', 'percentage', 50, 'multiple', true)`,
      [systemIds.next()],
    )
    const userId = await userWith(database.db, 1500n)
    const placed = await placeOrder(at(START_MS), {
      caller: callerOf(userId),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: { serviceId: shop.serviceId, resources: LARGE, months: 1, name: 'S', couponCode: 'HALF' },
    })
    if (!placed.ok) throw new Error(placed.code)
    const customer = { userId, serverId: placed.answer.serverId }
    await settleOrder(at(START_MS), { serverId: customer.serverId, outcome: 'installed', reason: '' })
    expect(await money(customer)).toBe(0n)
    const dearer = (unitPriceFt: number) =>
      database.owner.query(
        `update cms_api.services set resources = jsonb_set(resources, '{ramMiB,unitPriceFt}', $1::text::jsonb)`,
        [unitPriceFt],
      )
    await dearer(1000)
    // The list of now keeps 2,000 of 3,000 Ft a month, and half of the rest was paid.
    const smaller = await modifyServer(at(START_MS), wishOf(customer, SMALL))
    await dearer(500)
    expect(smaller).toMatchObject({ answer: { backFt: 500, chargeFt: 0 } })
    const cancelled = (key: string) =>
      refundServer(at(START_MS), {
        staffId: systemIds.next(),
        serverId: customer.serverId,
        amountFt: undefined,
        endServer: true,
        reason: 'The customer cancelled.',
        requestId: 'c',
        idempotencyKey: key,
      })
    expect(await cancelled('one')).toMatchObject({ ok: true })
    expect(await cancelled('two')).toMatchObject({ ok: false })
    expect(await balanceOf(database.db, userId)).toEqual({ money: 1500n, held: 0n, available: 1500n })
  })

  it('T27, I14: a month paid by bonus is refunded as bonus, although money paid the earlier months', async () => {
    const customer = await customerWith(0n)
    const { userId } = customer
    const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
    const grant = { id: systemIds.next(), userId, amount: forints(4500n), reason: 'Welcome' }
    await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, grant))
    // The second month and the larger size are paid with bonus alone.
    expect(await renewServer(at(START_MS), renewCommand(customer))).toMatchObject({ ok: true })
    expect(await modifyServer(at(EXPIRY_MS), wishOf(customer, LARGE))).toMatchObject({ answer: { chargeFt: 1500 } })
    expect(await modifyServer(at(EXPIRY_MS), wishOf(customer, SMALL))).toMatchObject({ answer: { backFt: 1500 } })
    expect(await balanceOf(database.db, userId)).toMatchObject({ money: 0n, available: 3000n })
  })

  it('T37: a resize waits for a concurrent renewal, and then covers the longer time or is refused for its changed price', async () => {
    const table = [
      { size: LARGE, expectedFt: undefined, outcome: { ok: true, answer: { chargeFt: 3000 } } },
      { size: LARGE, expectedFt: 1500, outcome: { code: 'PRICE_CHANGED', params: { price: '3000' } } },
      { size: { ...SMALL, ramMiB: 2048 }, expectedFt: 1000, outcome: { ok: true, answer: { chargeFt: 1000 } } },
    ]
    for (const { size, expectedFt, outcome } of table) {
      const customer = await customerWith(9000n)
      let changed: ReturnType<typeof modifyServer> | undefined
      const faults = async (name: string) => {
        if (name !== 'renewal.told') return
        changed = modifyServer(at(START_MS), wishOf(customer, size, expectedFt))
        // It stands before the locked row until the renewal is through.
        await waitFor('the change to wait', async () => {
          const waiting = await database.owner.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and query like '%control.servers%for no key update%'`,
          )
          return waiting.length > 0 || undefined
        })
      }
      expect(await renewServer(at(START_MS, faults), renewCommand(customer))).toMatchObject({ ok: true })
      expect(await changed).toMatchObject(outcome)
    }
  })

  it('T55: a refused update is repeated, and later purchases stay consistent', async () => {
    const customer = await customerWith(5000n)
    const { serverId } = customer
    const drift = () =>
      database.owner.query(
        `select s.id from control.servers s join control.server_state o on o.server_id = s.id
         where s.id = $1 and o.observed_generation < s.generation`,
        [serverId],
      )
    await database.owner.query(
      `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
      [serverId],
    )
    await modifyServer(at(START_MS), wishOf(customer, LARGE))
    expect(await drift()).toHaveLength(1)
    const metrics = createMetrics({ processMetrics: false })
    const reconcileAt = (nowMs: number) => reconcileServer(serverId, 'r', { ...at(nowMs), metrics })
    for (const [attempt, ok] of [false, false, true].entries()) {
      const nowMs = START_MS + attempt * 600_000
      await database.owner.query('update control.agent_sessions set renewed_at = $1', [new Date(nowMs)])
      expect(await reconcileAt(nowMs)).toMatchObject({ do: 'step', step: { kind: 'update' } })
      const [command] = await database.owner.query<{ id: string }>(
        'select id from control.commands where server_id = $1 order by id desc limit 1',
        [serverId],
      )
      const answer = { ok, code: ok ? '' : 'DRIVER_FAILED', detail: '', commandId: command?.id ?? '', serverId }
      const event = { kind: 'command.finished', seq: attempt + 1, atMs: nowMs, ...answer } as const
      const context = { ...at(nowMs), metrics }
      await database.db.transaction((tx) => observeEvent(tx, observing(context), { nodeId: shop.nodeId, event }))
    }
    expect(await drift()).toEqual([])
    expect(await serverOf(customer)).toMatchObject({ wanted: '2048', memory: 2048 })
    expect(await money(customer)).toBe(3500n)
    await database.owner.query('update control.agent_sessions set renewed_at = $1', [new Date(START_MS)])
  })

  it('a resize without enough balance reports the missing amount and writes nothing; a package and another price are refused', async () => {
    const customer = await customerWith(300n)
    const quoted = { caller: callerOf(customer.userId), serverId: customer.serverId, resources: LARGE }
    expect(await quoteModification(at(START_MS), quoted)).toMatchObject({ quote: { missingFt: 1200 } })
    const poor = await modifyServer(at(START_MS), wishOf(customer, LARGE))
    expect(poor).toMatchObject({ code: 'INSUFFICIENT_BALANCE', missing: { minor: 1200n } })
    const other = await modifyServer(at(START_MS), wishOf(customer, LARGE, 1))
    expect(other.ok).toBe(false)
    expect(await modifyServer(at(START_MS), wishOf(customer, SMALL))).toMatchObject({ code: 'NOTHING_CHANGED' })
    expect(await serverOf(customer)).toMatchObject({ generation: 1, monthly: 1500 })
    const userId = await userWith(database.db, 9000n)
    const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
    expect(await modifyServer(at(START_MS), wishOf({ userId, serverId }, LARGE))).toMatchObject({ code: 'IN_PACKAGE' })
    const stranger = { userId: await userWith(database.db, 9000n), serverId: customer.serverId }
    expect(await modifyServer(at(START_MS), wishOf(stranger, LARGE))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('an upgrade needs capacity on the server’s node', async () => {
    const customer = await customerWith(9000n)
    await database.owner.query('update cms_api.computers set available_memory_mib = 1024')
    try {
      expect(await modifyServer(at(START_MS), wishOf(customer, LARGE))).toEqual({ ok: false, code: 'NO_CAPACITY' })
    } finally {
      await database.owner.query('update cms_api.computers set available_memory_mib = 1000000')
    }
  })

  it('an upgrade does not get the node’s reserved memory', async () => {
    const customer = await customerWith(9000n)
    const [others] = await database.owner.query<{ memory: number }>(
      'select coalesce(sum(memory_mib), 0)::int as memory from control.servers where deleted_at is null and id <> $1',
      [customer.serverId],
    )
    const wantedMiB = (others?.memory ?? 0) + LARGE.ramMiB
    const nodeHas = (memoryMiB: number) =>
      database.owner.query('update cms_api.computers set available_memory_mib = $1', [memoryMiB])
    try {
      await nodeHas(wantedMiB)
      const quoted = { caller: callerOf(customer.userId), serverId: customer.serverId, resources: LARGE }
      expect(await quoteModification(at(START_MS), quoted)).toEqual({ ok: false, code: 'NO_CAPACITY' })
      expect(await modifyServer(at(START_MS), wishOf(customer, LARGE))).toEqual({ ok: false, code: 'NO_CAPACITY' })
      await nodeHas(Math.ceil((wantedMiB * 10) / 9))
      expect(await modifyServer(at(START_MS), wishOf(customer, LARGE))).toMatchObject({ ok: true })
    } finally {
      await nodeHas(1_000_000)
    }
  })

  it.each(MODIFICATION_FAULTS)('T52: after an exception at %s, desired and paid size agree', async (fault) => {
    const customer = await customerWith(5000n)
    const wish = wishOf(customer, LARGE)
    const faults = async (name: string) => {
      if (name === fault) throw new Error(fault)
    }
    await expect(modifyServer(at(START_MS, faults), wish)).rejects.toThrow(fault)
    const isDone = fault === 'modification.committed'
    expect([await money(customer), (await serverOf(customer))?.['wanted']]).toEqual(
      isDone ? [3500n, '2048'] : [5000n, '1024'],
    )
    expect(await modifyServer(at(START_MS), wish)).toMatchObject({ ok: true, replayed: isDone })
    expect([await money(customer), (await serverOf(customer))?.['wanted']]).toEqual([3500n, '2048'])
  })
})
