import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { revertRejected } from '../../../control-plane/money/modification/revert-rejected.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { listWithdrawals } from '../../../control-plane/money/withdrawal/list-withdrawals.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { refusedUpdate } from '../../factories/refused-update.ts'
import { balanceOf, callerOf, credit, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { withdraw, withdrawalContext } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const RUNS = 20

let database: ControlDatabase
let shop: Shop
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 5000, memoryMiB: 100_000_000 })
  staffId = await userWith(database.db, 0n)
})
afterAll(() => database.close())

const sizeOf = (each: number) => ({ cpuPercent: 100 * (1 + (each % 4)), ramMiB: 1024, storageMiB: 1024 })

async function setPrice(unitFt: number): Promise<void> {
  const range = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
  const resources = { cpuPercent: range(100, unitFt), ramMiB: range(1024, 99), storageMiB: range(1024, 0) }
  await database.owner.query('update cms_api.services set resources = $1', [JSON.stringify(resources)])
}

type World = {
  nowMs: number
  readonly userId: string
  readonly serverId: string
  /**
   * The money that came into the wallet, and the paid time that was used, as nearly as a number of JavaScript says it.
   */
  money: bigint
  bonus: bigint
  used: number
  /** Charges whose time staff gave back: it may go on without money. */
  free: string[]
  /** The cost of rounding and begun days to the house. */
  slack: number
}

const at = (nowMs: number) => withdrawalContext(database.db, { nowMs })
const wallet = async ({ userId }: World) => {
  const { money, available } = await balanceOf(database.db, userId)
  return { money, bonus: available - money }
}

async function grant(userId: string, amountFt: bigint): Promise<void> {
  const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
  const given = { id: systemIds.next(), userId, amount: forints(amountFt), reason: 'Welcome' }
  await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, given))
}

/**
 * The part that the time from now to then uses, by the spans as they are: each at its own speed while the server's paid
 * time lasts.
 */
async function pass(world: World, toMs: number): Promise<void> {
  const rows = await database.owner.query<{ used: number }>(
    `select coalesce(sum(speed * greatest(0, extract(epoch from least(end_at, expires_at, $3) - greatest(start_at, $2)) * 1000)), 0)::float8 as used
     from (select p.start_at, p.end_at, s.expires_at, p.paid_ft::float8 * (p.held_monthly_ft - p.from_monthly_ft)
         / nullif(p.to_monthly_ft - p.from_monthly_ft, 0) / (extract(epoch from p.end_at - p.start_at)::float8 * 1000) as speed
       from control.paid_spans p join control.servers s on s.id = p.server_id
       where p.server_id = $1 and p.end_at > $2 and coalesce(p.order_id, p.renewal_id, p.modification_id) <> all ($4)) as spans`,
    [world.serverId, new Date(world.nowMs), new Date(toMs), world.free],
  )
  world.used += rows[0]?.used ?? 0
  world.nowMs = toMs
}

const dayOf = async ({ serverId, nowMs }: World): Promise<number> => {
  const [row] = await database.owner.query<{ day: number }>(
    `select coalesce(sum(paid_ft::float8 * 86400 / extract(epoch from end_at - start_at)), 0)::float8 as day
     from control.paid_spans where server_id = $1 and end_at > $2`,
    [serverId, new Date(nowMs)],
  )
  return row?.day ?? 0
}

type Step = { readonly kind: keyof typeof STEPS; readonly size: number }

const STEPS = {
  credited: async (world: World, size: number) => {
    await credit(database.db, { userId: world.userId, amountFt: BigInt(size) })
    world.money += BigInt(size)
  },
  granted: async (world: World, size: number) => {
    await grant(world.userId, BigInt(size))
    world.bonus += BigInt(size)
  },
  passed: (world: World, size: number) => pass(world, world.nowMs + ((size % 97) / 8) * DAY_MS),
  renewed: async (world: World, size: number) => {
    await renewServer(at(world.nowMs), renewCommand(world, { request: { months: 1 + (size % 2) } }))
  },
  resized: async (world: World, size: number) => {
    await modifyServer(at(world.nowMs), {
      caller: callerOf(world.userId),
      serverId: world.serverId,
      request: { resources: sizeOf(size) },
      idempotencyKey: systemIds.next(),
      requestId: 'm',
    })
  },
  premium: async (world: World, size: number) => {
    const tier = (['essentials', 'maximus', 'ultimus'] as const)[size % 3] ?? 'essentials'
    const request = { caller: callerOf(world.userId), request: { tier }, requestId: 'p' }
    await purchasePremium(at(world.nowMs), { ...request, idempotencyKey: systemIds.next() })
  },
  ran: async (world: World, size: number) => {
    const isOn = size % 2 === 0
    await database.owner.query('update control.servers set auto_renew = $2 where id = $1', [world.serverId, isOn])
    await runLifetime(lifetimeContext(database.db, { now: () => world.nowMs }))
    await database.owner.query(`update control.servers set lifetime_due_at = 'infinity'`)
  },
  repriced: (_world: World, size: number) => setPrice(1 + (size % 1500)),
  refunded: async (world: World, size: number) => {
    const charges = await database.owner.query<{ id: string }>(
      'select coalesce(order_id, renewal_id, modification_id) as id from control.paid_spans where server_id = $1',
      [world.serverId],
    )
    world.free = charges.map(({ id }) => id)
    await refundServer(at(world.nowMs), {
      staffId,
      serverId: world.serverId,
      amountFt: undefined,
      reason: 'The node was down.',
      endServer: size % 3 === 0,
      requestId: 'refund',
      idempotencyKey: systemIds.next(),
    })
  },
  /** The node takes no size: what was charged for the last one and stands comes back, however long ago it was. */
  sizeRefused: async (world: World) => {
    await refusedUpdate(at(world.nowMs), { serverId: world.serverId, nodeId: shop.nodeId })
    const before = await wallet(world)
    const { failed } = await revertRejected(at(world.nowMs))
    expect(failed).toBe(0)
    const after = await wallet(world)
    world.slack += Number(after.money + after.bonus - before.money - before.bonus)
    await database.owner.query('delete from control.commands where server_id = $1', [world.serverId])
  },
  withdrawn: async (world: World, size: number) => {
    const offers = await listWithdrawals(at(world.nowMs), callerOf(world.userId))
    const offer = offers[size % Math.max(1, offers.length)]
    if (!offer) return
    // A begun day is not kept.
    world.slack += await dayOf(world)
    const { kind, documentId } = offer
    const answer = await withdraw(database.db, {
      userId: world.userId,
      subject: { kind, documentId },
      nowMs: world.nowMs,
    })
    if (answer.ok) expect(answer.answer).toMatchObject({ backFt: offer.backFt, keptFt: offer.keptFt })
    else expect([offer.laterRenewalFirst, answer.code]).toEqual([true, 'LATER_RENEWAL_FIRST'])
  },
} satisfies Record<string, (world: World, size: number) => Promise<void>>

async function open({ months, money, bonus }: { months: number; money: number; bonus: number }): Promise<World> {
  await setPrice(1000)
  const userId = await userWith(database.db, BigInt(money))
  if (bonus > 0) await grant(userId, BigInt(bonus))
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: sizeOf(0), months, name: 'Castle' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  return { nowMs: START_MS, userId, serverId, money: BigInt(money), bonus: BigInt(bonus), used: 0, slack: 0, free: [] }
}

async function check(world: World): Promise<void> {
  const { money, bonus } = await wallet(world)
  expect(
    money <= world.money && bonus <= world.bonus,
    `money ${money} of ${world.money}, bonus ${bonus} of ${world.bonus}`,
  ).toBe(true)
  const spent = Number(world.money + world.bonus - money - bonus)
  expect(spent, `used ${world.used}, slack ${world.slack}`).toBeGreaterThanOrEqual(world.used - world.slack)
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(Object.keys(STEPS) as Step['kind'][]),
    'passed',
    'resized',
    'renewed',
    'resized',
    'withdrawn',
    'sizeRefused',
  ),
  size: fc.integer({ min: 1, max: 5000 }),
})

it(
  'I14, T27: after any sequence of renewals, resizes, refunds and withdrawals the used time stays paid and bonus stays bonus',
  { timeout: 5 * 60_000 },
  async () => {
    const start = fc.record({
      months: fc.integer({ min: 1, max: 2 }),
      money: fc.integer({ min: 2500, max: 9000 }),
      bonus: fc.nat(4000),
    })
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 4, maxLength: 14 }), async (begin, steps) => {
        const world = await open(begin)
        for (const { kind, size } of steps) {
          world.slack += 2
          await pass(world, world.nowMs + 1000)
          await STEPS[kind](world, size)
          await check(world)
        }
      }),
      { numRuns: Number(process.env['ANY_ORDER_RUNS'] ?? RUNS), endOnFailure: true },
    )
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  },
)
