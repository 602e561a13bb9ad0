import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { setSuspended } from '../../../control-plane/servers/store/server-store.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS
const MINUTE_MS = 60_000

let database: ControlDatabase
let shop: Shop
let node: ReturnType<typeof answeringNode>
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  node = answeringNode(database, shop)
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })

/** A customer with a running server of the small size, and so much money left. */
async function customerWith(restFt: bigint) {
  await node.beatAt(START_MS)
  const userId = await userWith(database.db, 1500n + restFt)
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  await database.owner.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
    [serverId],
  )
  return { userId, serverId }
}
type Customer = Awaited<ReturnType<typeof customerWith>>

const resized = ({ userId, serverId }: Customer, resources: typeof SMALL, nowMs: number) =>
  modifyServer(at(nowMs), {
    caller: callerOf(userId),
    serverId,
    idempotencyKey: systemIds.next(),
    requestId: 'm',
    request: { resources },
  })
const wantedOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select s.desired, s.desired_power as power, s.deleted_at as gone, (s.spec -> 'limits' ->> 'memoryMiB')::int as memory,
         o.observed_generation < s.generation as differs, s.suspended
       from control.servers s join control.server_state o on o.server_id = s.id where s.id = $1`,
      [serverId],
    )
  )[0]
const commandsOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<{ kind: string }>(
      'select kind from control.commands where server_id = $1 order by created_at, id',
      [serverId],
    )
  ).map(({ kind }) => kind)
const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).available

describe('refusals by a node', () => {
  it.each(['INTERNAL', 'DISK_FULL', 'INVALID_COMMAND', 'DRIVER_FAILED'])(
    'T51: a larger size that it never accepts (%s) costs no server, and resizing back refunds the unused charge',
    async (refusal) => {
      const customer = await customerWith(5000n)
      const { serverId } = customer
      expect(await resized(customer, LARGE, START_MS)).toMatchObject({ answer: { chargeFt: 1500 } })
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const nowMs = START_MS + attempt * 10 * MINUTE_MS
        expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'step', step: { kind: 'update' } })
        await node.says(serverId, nowMs, { refusal })
        // The server of the customer goes on in its old size.
        expect(await wantedOf(customer)).toMatchObject({ desired: 'installed', gone: null, power: 'running' })
      }
      expect(new Set(await commandsOf(customer))).toEqual(new Set(['update']))
      expect(await moneyOf(customer)).toBe(3500n)
      // 29 days and 21 hours of 30 days.
      const nowMs = START_MS + 3 * 60 * MINUTE_MS
      await node.beatAt(nowMs)
      expect(await resized(customer, SMALL, nowMs)).toMatchObject({ answer: { backFt: 1494 } })
      expect(await moneyOf(customer)).toBe(4994n)
      await node.askedAt(serverId, nowMs)
      await node.says(serverId, nowMs, 'done')
      expect(await wantedOf(customer)).toMatchObject({ memory: 1024, differs: false, desired: 'installed', gone: null })
    },
  )

  it('T51: at the moment of the refusal resizing back refunds the whole charge', async () => {
    const customer = await customerWith(5000n)
    const { serverId } = customer
    await resized(customer, LARGE, START_MS)
    await node.askedAt(serverId, START_MS)
    await node.says(serverId, START_MS, { refusal: 'INTERNAL' })
    expect(await resized(customer, SMALL, START_MS)).toMatchObject({ answer: { backFt: 1500 } })
    expect(await moneyOf(customer)).toBe(5000n)
    expect(await wantedOf(customer)).toMatchObject({ memory: 1024, desired: 'installed', gone: null })
  })

  it('T55: a refused stop of an expired server is repeated until it no longer runs, and so is the deletion', async () => {
    const customer = await customerWith(0n)
    const { serverId } = customer
    const runAt = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
    /** Asks until the node has done it, which refuses twice. */
    const refusedTwice = async (fromMs: number, step: object) => {
      for (const [attempt, answer] of (['no', 'no', 'done'] as const).entries()) {
        const nowMs = fromMs + attempt * 10 * MINUTE_MS
        expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'step', step })
        await node.says(serverId, nowMs, answer === 'done' ? 'done' : { refusal: 'STOP_FAILED' })
      }
    }
    await runAt(EXPIRY_MS)
    await refusedTwice(EXPIRY_MS, { kind: 'power', action: 'stop' })
    await node.sees(serverId, 'offline')
    expect(await node.askedAt(serverId, EXPIRY_MS + 40 * MINUTE_MS)).toEqual({ do: 'nothing', because: 'converged' })
    const deletionMs = EXPIRY_MS + 3 * DAY_MS
    await runAt(deletionMs)
    await refusedTwice(deletionMs, { kind: 'delete' })
    expect(await node.askedAt(serverId, deletionMs + 40 * MINUTE_MS)).toEqual({ do: 'nothing', because: 'deleted' })
    // Its ports are free only now that the node has said so.
    expect(await database.owner.query('select 1 from control.allocations where server_id = $1', [serverId])).toEqual([])
  })
})

it('T62: neither a renewal, a resize, nor a late payment ends a suspension or starts a suspended server', async () => {
  const customer = await customerWith(9000n)
  const { serverId } = customer
  await database.owner.transaction((tx) => setSuspended(tx, serverId, 'Abuse'))
  expect(await node.askedAt(serverId, START_MS)).toMatchObject({ step: { kind: 'power', action: 'stop' } })
  await node.says(serverId, START_MS, 'done')
  await node.sees(serverId, 'offline')
  await database.owner.query('update control.servers set stopped_by_expiry = true where id = $1', [serverId])
  expect(await resized(customer, LARGE, START_MS)).toMatchObject({ ok: true })
  for (const nowMs of [START_MS, EXPIRY_MS + BILLING_MONTH_MS + MINUTE_MS]) {
    expect(await renewServer(at(nowMs), renewCommand(customer))).toMatchObject({ ok: true })
    expect(await node.askedAt(serverId, nowMs)).toMatchObject({ step: { kind: 'update' } })
    await node.says(serverId, nowMs, 'done')
    expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'nothing', because: 'converged' })
    expect(await wantedOf(customer)).toMatchObject({ suspended: true, differs: false })
  }
  const sent = await database.owner.query<{ suspended: boolean }>(
    `select (body -> 'spec' ->> 'suspended')::boolean as suspended from control.commands where server_id = $1 and body ? 'spec'`,
    [serverId],
  )
  expect(new Set(sent.map(({ suspended }) => suspended))).toEqual(new Set([true]))
  expect(await commandsOf(customer)).toEqual(['power', 'update', 'update'])
})
