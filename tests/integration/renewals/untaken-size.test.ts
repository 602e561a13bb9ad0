import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { TAKE_WITHIN_MS } from '#domain/billing/untaken-size.ts'
import { explainLine } from '../../../control-plane/billing/explain-line.ts'
import { refundServer } from '../../../control-plane/billing/refund-server.ts'
import { bonusGranted } from '../../../control-plane/ledger/postings.ts'
import { modifyServer } from '../../../control-plane/modification/modify-server.ts'
import { reverseUntaken } from '../../../control-plane/modification/reverse-untaken.ts'
import { placeOrder } from '../../../control-plane/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/orders/settle-order.ts'
import { systemIds } from '../../../control-plane/platform/ids.ts'
import { renewServer } from '../../../control-plane/renewals/renew-server.ts'
import { requestDeletion } from '../../../control-plane/store/server-store.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { withdraw } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LATER_MS = START_MS + TAKE_WITHIN_MS
// 1000 Ft for a processor, 500 for each GiB of memory: 1500, 3000 and 4500 Ft a month.
const SMALL = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
const LARGE = { cpuPercent: 200, ramMiB: 2048, storageMiB: 1024 }
const HUGE = { cpuPercent: 300, ramMiB: 3072, storageMiB: 1024 }

let database: ControlDatabase
let shop: Shop
let node: ReturnType<typeof answeringNode>
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  node = answeringNode(database, shop)
  const range = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
  const resources = { cpuPercent: range(100, 1000), ramMiB: range(1024, 500), storageMiB: range(1024, 0) }
  await database.owner.query('update cms_api.services set resources = $1', [JSON.stringify(resources)])
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  // What a case leaves on its way is no business of the next one.
  await database.owner.query('delete from control.commands')
  await connectedAt(START_MS)
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const connectedAt = (atMs: number) =>
  database.owner.query('update control.agent_sessions set connected_at = $1, session_id = gen_random_uuid()', [
    new Date(atMs),
  ])
/** The run, while the node is there. */
async function lookedAt(nowMs: number): Promise<number> {
  await node.beatAt(nowMs)
  const { reversed, failed } = await reverseUntaken(at(nowMs))
  expect(failed).toBe(0)
  return reversed
}

type Customer = { userId: string; serverId: string }

/** A customer with a running server of the small size, and so much left. */
async function customerWith(restFt: bigint, bonusFt = 0n): Promise<Customer> {
  await node.beatAt(START_MS)
  const userId = await userWith(database.db, 1500n + restFt)
  const placed = await placeOrder(at(START_MS), {
    ...{ caller: callerOf(userId), requestId: 'r', idempotencyKey: systemIds.next() },
    request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'Castle' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  await database.owner.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
    [serverId],
  )
  if (bonusFt > 0n) {
    const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
    const grant = { id: systemIds.next(), userId, amount: forints(bonusFt), reason: 'Welcome' }
    await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, grant))
  }
  return { userId, serverId }
}

async function resized({ userId, serverId }: Customer, resources: typeof SMALL, nowMs = START_MS) {
  await node.beatAt(nowMs)
  return modifyServer(at(nowMs), {
    ...{ caller: callerOf(userId), serverId, idempotencyKey: systemIds.next(), requestId: 'm' },
    request: { resources },
  })
}
const asked = async ({ serverId }: Customer, nowMs = START_MS) =>
  expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'step', step: { kind: 'update' } })
/** The larger size, asked for and refused. */
async function refused(customer: Customer, resources = LARGE, nowMs = START_MS): Promise<void> {
  expect(await resized(customer, resources, nowMs)).toMatchObject({ ok: true })
  await asked(customer, nowMs)
  await node.says(customer.serverId, nowMs, { refusal: 'INTERNAL' })
}
const serverOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select s.memory_mib as memory, s.cpu_percent as cpu, s.monthly_price_ft as monthly, s.generation, s.desired,
         (s.spec -> 'limits' ->> 'memoryMiB')::int as sent, (s.spec ->> 'generation')::int as said
       from control.servers s where s.id = $1`,
      [serverId],
    )
  )[0]
const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).available
const IN_SMALL = { memory: 1024, sent: 1024, cpu: 100, monthly: 1500n, desired: 'installed' }
const IN_LARGE = { memory: 2048, sent: 2048, cpu: 200, monthly: 3000n, desired: 'installed' }
const keysOf = ({ userId }: Customer) =>
  database.owner.query<{ key: string }>(
    `select distinct t.idempotency_key as key from control.ledger_transactions t join control.ledger_entries e on e.tx_id = t.id
       join control.ledger_accounts a on a.id = e.account_id
     where a.owner_id = $1 and t.idempotency_key like '%:untaken'`,
    [userId],
  )
const rowsOf = (customer: Customer, query: string) => database.owner.query(query, [customer.userId])

describe('T51: a size that its node refuses', () => {
  it('T51: leaves the old size, price and all the money, once, however often it is looked at', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
    expect(await lookedAt(START_MS + 3 * HOUR_MS)).toBe(1)
    expect(await moneyOf(customer)).toBe(5000n)
    expect(await serverOf(customer)).toMatchObject({ ...IN_SMALL, generation: 3, said: 3 })
    for (let look = 4; look < 8; look += 1) expect(await lookedAt(START_MS + look * HOUR_MS)).toBe(0)
    expect(await moneyOf(customer)).toBe(5000n)
    expect(await keysOf(customer)).toHaveLength(1)
    // The node is told the size that it has.
    await asked(customer, START_MS + 8 * HOUR_MS)
    await node.says(customer.serverId, START_MS + 8 * HOUR_MS, 'done')
    expect(await serverOf(customer)).toMatchObject({ ...IN_SMALL, generation: 3 })
  })

  it('T51: is told to its owner in the statement, the bell, the balance, the log and by a document', async () => {
    const customer = await customerWith(5000n)
    const { userId, serverId } = customer
    await refused(customer)
    await database.owner.query('delete from control.outbox')
    await lookedAt(START_MS + MINUTE_MS)
    expect(
      await rowsOf(
        customer,
        `select type, amount_ft, refunded_ft, document_kind as document from control.wallet_transactions
         where user_id = $1 and document_kind = 'modification' order by type`,
      ),
    ).toEqual([
      { type: 'refund', amount_ft: 1500n, refunded_ft: 0n, document: 'modification' },
      { type: 'server modification', amount_ft: -1500n, refunded_ft: 1500n, document: 'modification' },
    ])
    const notices = await rowsOf(
      customer,
      `select data from control.notifications where user_id = $1 and text = 'refund.size'`,
    )
    expect(notices).toEqual([{ data: { sid: serverId, name: 'Castle', amount: 1500 } }])
    const sent = await database.owner.query(
      `select topic, payload -> 'message' -> 'data' as data from control.outbox
       where topic <> 'browser-event' or payload -> 'message' ->> 'event' = 'balance.change' order by topic`,
    )
    expect(sent).toMatchObject([
      { topic: 'browser-event', data: { type: 'refund', change: 1500, balance: 5000 } },
      { topic: 'invoice-mail' },
      { topic: 'notice-tell' },
      { topic: 'provision-server' },
    ])
    const acts = `select detail ->> 'because' as because, (detail ->> 'amountFt')::int as ft, status from control.activities
      where user_id = $1 and type = 'server.size-refused'`
    expect(await rowsOf(customer, acts)).toEqual([{ because: 'refused', ft: 1500, status: 'failure' }])
    const given = `select c.cause_type as cause, c.given_back_ft as ft, c.net_ft + c.vat_ft as split from control.sale_corrections c
      join control.modifications m on m.id::text = c.sale_id and c.sale_kind = 'modification' where m.user_id = $1`
    expect(await rowsOf(customer, given)).toEqual([{ cause: 'untaken-size', ft: 1500n, split: 1500n }])
    const papers = `select kind, gross_ft from control.invoices where user_id = $1 and document_kind = 'modification' order by id`
    expect(await rowsOf(customer, papers)).toEqual([
      { kind: 'invoice', gross_ft: 1500n },
      { kind: 'storno', gross_ft: -1500n },
    ])
    const [line] = await database.owner.query<{ id: string }>(
      `select id from control.wallet_transactions where user_id = $1 and type = 'refund'`,
      [userId],
    )
    const explained = await explainLine(database.db, { userId, locale: 'en', transactionId: line?.id ?? '' })
    expect(explained).toMatchObject({
      ...{ cause: 'given-back', formula: [{ kind: 'flat', amountFt: 1500 }] },
      ...{ size: { memoryMiB: 2048 }, newSize: { memoryMiB: 1024 }, server: { id: serverId } },
    })
  })

  it('T51: gives bonus back as bonus and money as money', async () => {
    const customer = await customerWith(5000n, 700n)
    const before = await balanceOf(database.db, customer.userId)
    expect(before).toEqual({ money: 5000n, held: 0n, available: 5700n })
    await refused(customer)
    expect(await balanceOf(database.db, customer.userId)).toEqual({ money: 4200n, held: 0n, available: 4200n })
    await lookedAt(START_MS + HOUR_MS)
    expect(await balanceOf(database.db, customer.userId)).toEqual(before)
  })

  it('T51: is not given back while the node is being asked again, and never once it has taken it', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    await asked(customer, START_MS + MINUTE_MS)
    expect(await lookedAt(START_MS + MINUTE_MS)).toBe(0)
    await node.says(customer.serverId, START_MS + MINUTE_MS, 'done')
    expect(await lookedAt(START_MS + HOUR_MS)).toBe(0)
    // It loses its record, and refuses what it is told then.
    await database.owner.query(
      `update control.server_state set state = 'unknown', observed_generation = 0 where server_id = $1`,
      [customer.serverId],
    )
    await asked(customer, START_MS + 2 * HOUR_MS)
    await node.says(customer.serverId, START_MS + 2 * HOUR_MS, { refusal: 'INTERNAL' })
    expect(await lookedAt(START_MS + 3 * HOUR_MS)).toBe(0)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
  })

  it('T51: of which a program of the release before saw that it was taken stays', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    const seen = `update control.server_state set observed_generation = $2 where server_id = $1`
    await database.owner.query(seen, [customer.serverId, 2])
    expect(await lookedAt(START_MS + MINUTE_MS)).toBe(0)
    await database.owner.query(seen, [customer.serverId, 0])
    expect(await lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect(await moneyOf(customer)).toBe(3500n)
  })

  it('T51: that was sold by the release before, which wrote no generation, is left to staff as before', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    await database.owner.query('update control.modifications set generation = null where server_id = $1', [
      customer.serverId,
    ])
    expect(await lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect(await moneyOf(customer)).toBe(3500n)
  })
})

describe('T51: a size that its node does not answer', () => {
  it('T51: is given back after ten minutes and not before, and a late answer gives nobody the larger size for nothing', async () => {
    const customer = await customerWith(5000n)
    const { serverId } = customer
    await resized(customer, LARGE)
    await asked(customer)
    const [late] = await database.owner.query<{ id: string }>('select id from control.commands where server_id = $1', [
      serverId,
    ])
    expect(await lookedAt(LATER_MS - 1)).toBe(0)
    expect(await moneyOf(customer)).toBe(3500n)
    expect(await lookedAt(LATER_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
    // Nothing waits for the old question: the node is told the smaller size, and what it says of the larger one is past.
    await asked(customer, LATER_MS + 1)
    await database.owner.query('update control.server_state set observed_generation = 2 where server_id = $1', [
      serverId,
    ])
    const states = await database.owner.query('select state from control.commands where id = $1', [late?.id])
    expect(states).toEqual([{ state: 'superseded' }])
    expect(await lookedAt(LATER_MS + HOUR_MS)).toBe(0)
    const [newest] = await database.owner.query<Record<string, unknown>>(
      `select generation, (body -> 'spec' -> 'limits' ->> 'memoryMiB')::int as memory from control.commands
       where server_id = $1 and state = 'pending'`,
      [serverId],
    )
    expect(newest).toEqual({ generation: 3, memory: 1024 })
    expect(await moneyOf(customer)).toBe(5000n)
  })

  it('T51: of a node that is away, that came back just now, or that owes what happened, is waited for', async () => {
    const customer = await customerWith(5000n)
    await resized(customer, LARGE)
    await asked(customer)
    // Away: nobody beats.
    expect(await reverseUntaken(at(START_MS + HOUR_MS))).toEqual({ reversed: 0, failed: 0 })
    const backMs = START_MS + HOUR_MS
    await connectedAt(backMs)
    expect(await lookedAt(backMs + TAKE_WITHIN_MS - 1)).toBe(0)
    await database.owner.query('update control.agent_sessions set behind_session = session_id')
    expect(await lookedAt(backMs + TAKE_WITHIN_MS)).toBe(0)
    await database.owner.query('update control.agent_sessions set behind_session = null')
    expect(await serverOf(customer)).toMatchObject(IN_LARGE)
    expect(await lookedAt(backMs + TAKE_WITHIN_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
  })

  it.each(['offline', 'installing'] as const)(
    'T51: of a server that is %s is taken in its time, and stays',
    async (state) => {
      const customer = await customerWith(5000n)
      const { serverId } = customer
      await node.sees(serverId, state)
      await resized(customer, LARGE)
      if (state === 'installing') {
        expect(await node.askedAt(serverId, START_MS)).toEqual({ do: 'nothing', because: 'working' })
        expect(await lookedAt(START_MS + 2 * HOUR_MS)).toBe(0)
        await node.sees(serverId, 'offline')
      }
      await asked(customer, START_MS + 2 * HOUR_MS)
      expect(await lookedAt(START_MS + 2 * HOUR_MS)).toBe(0)
      await node.says(serverId, START_MS + 2 * HOUR_MS, 'done')
      expect(await lookedAt(START_MS + DAY_MS)).toBe(0)
      expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
    },
  )

  it('T51: is given back too where the node still owes an answer to what it was asked before', async () => {
    const customer = await customerWith(6500n)
    expect(await renewServer(at(START_MS), renewCommand(customer))).toMatchObject({ ok: true })
    await asked(customer)
    await resized(customer, LARGE, START_MS + MINUTE_MS)
    expect(await lookedAt(LATER_MS)).toBe(0)
    expect(await lookedAt(LATER_MS + MINUTE_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
  })
})

describe('T51: what else happens to a size that is not taken', () => {
  it('T51: a smaller size on top of it is the newest change: nothing is taken back twice', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    expect(await resized(customer, SMALL, START_MS + 3 * HOUR_MS)).toMatchObject({ answer: { backFt: 1494 } })
    expect(await lookedAt(START_MS + 4 * HOUR_MS)).toBe(0)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([4994n, IN_SMALL])
  })

  it('T51: a larger one on top of it goes first, then it: each gives its own charge', async () => {
    const customer = await customerWith(9000n)
    await refused(customer)
    await refused(customer, HUGE, START_MS + 10 * DAY_MS)
    expect(await moneyOf(customer)).toBe(9000n - 1500n - 1000n)
    expect(await lookedAt(START_MS + 10 * DAY_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([7500n, IN_LARGE])
    expect(await lookedAt(START_MS + 10 * DAY_MS + MINUTE_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([9000n, IN_SMALL])
    expect(await keysOf(customer)).toHaveLength(2)
  })

  it('T51: one that was taken stays under one that is not', async () => {
    const customer = await customerWith(9000n)
    await resized(customer, LARGE)
    await asked(customer)
    await node.says(customer.serverId, START_MS, 'done')
    await refused(customer, HUGE, START_MS + DAY_MS)
    expect(await lookedAt(START_MS + 2 * DAY_MS)).toBe(1)
    expect(await lookedAt(START_MS + 3 * DAY_MS)).toBe(0)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([7500n, IN_LARGE])
  })

  it.each([
    ['a part', 400, 5000n, 1],
    ['all that was paid', undefined, 0n, 0],
  ])('T51: what staff gave back of it, %s, is not given twice', async (_part, amountFt, _left, told) => {
    const customer = await customerWith(5000n)
    await refused(customer)
    const staffId = await userWith(database.db, 0n)
    const refund = { staffId, serverId: customer.serverId, amountFt, reason: 'The node was down.', endServer: false }
    const keys = { requestId: 'refund', idempotencyKey: systemIds.next() }
    expect(await refundServer(at(START_MS + 1), { ...refund, ...keys })).toMatchObject({ ok: true })
    const given = (await moneyOf(customer)) - 3500n
    expect(await lookedAt(START_MS + MINUTE_MS)).toBe(1)
    // Staff give of the time to come first, the latest of it: 400 Ft were of the order or of the change, and together no more than was paid.
    const returned = await database.owner.query<{ ft: bigint; of_change: bigint }>(
      `select sum(returned_ft)::bigint as ft, sum(paid_ft - returned_ft) filter (where modification_id is not null)::bigint as of_change
       from control.paid_spans where server_id = $1`,
      [customer.serverId],
    )
    expect(returned).toEqual([{ ft: (await moneyOf(customer)) - 3500n, of_change: 0n }])
    expect(given).toBeLessThanOrEqual(3000n)
    expect(await serverOf(customer)).toMatchObject(IN_SMALL)
    expect(await keysOf(customer)).toHaveLength(told)
  })

  it('T51: a withdrawal from its order before leaves the few forints that were kept of it', async () => {
    const customer = await customerWith(5000n)
    await refused(customer)
    const [order] = await database.owner.query<{ id: string }>('select id from control.orders where user_id = $1', [
      customer.userId,
    ])
    const nowMs = START_MS + 2 * DAY_MS
    const answer = await withdraw(database.db, {
      ...{ userId: customer.userId, subject: { kind: 'order', documentId: order?.id ?? '' }, nowMs },
    })
    const { backFt = 0 } = answer.ok ? answer.answer : {}
    expect(await lookedAt(nowMs + MINUTE_MS)).toBe(1)
    // Two days of thirty were used of the small size alone: 100 Ft.
    expect([backFt, await moneyOf(customer)]).toEqual([2800, 3500n + 2800n + 100n])
    expect(await lookedAt(nowMs + HOUR_MS)).toBe(0)
  })

  it('T51: what was renewed since at the larger price comes down to the old one', async () => {
    const customer = await customerWith(6000n)
    await refused(customer)
    expect(await renewServer(at(START_MS + 1), renewCommand(customer))).toMatchObject({ answer: { totalFt: 3000 } })
    expect(await moneyOf(customer)).toBe(1500n)
    expect(await lookedAt(START_MS + BILLING_MONTH_MS + DAY_MS)).toBe(1)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([4500n, IN_SMALL])
    expect(await keysOf(customer)).toHaveLength(1)
  })

  it('T51: an expired server gets its size and price back, a deleted one is left alone', async () => {
    const expired = await customerWith(5000n)
    const deleted = await customerWith(5000n)
    await refused(expired)
    await refused(deleted)
    await database.owner.transaction((tx) => requestDeletion(tx, deleted.serverId))
    expect(await lookedAt(START_MS + BILLING_MONTH_MS + DAY_MS)).toBe(1)
    expect([await moneyOf(expired), await serverOf(expired)]).toMatchObject([5000n, IN_SMALL])
    expect([await moneyOf(deleted), await serverOf(deleted)]).toMatchObject([3500n, { desired: 'deleted' }])
  })

  it('T51: many looks at once, beside the node’s own word and another change, move the money once', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => customerWith(5000n)))
    for (const customer of customers) await refused(customer)
    const [taking, changing] = customers as [Customer, Customer]
    await asked(taking, START_MS + MINUTE_MS)
    const nowMs = START_MS + MINUTE_MS + TAKE_WITHIN_MS
    await node.beatAt(nowMs)
    const runs = Array.from({ length: 4 }, () => reverseUntaken(at(nowMs)))
    await Promise.all([...runs, node.says(taking.serverId, nowMs, 'done'), resized(changing, SMALL, nowMs)])
    for (const customer of customers) {
      const money = await moneyOf(customer)
      const { memory } = (await serverOf(customer)) as { memory: number }
      const whole = memory === 2048 ? 3500n : 5000n
      // Whoever changed back first got what was not used of it: minutes of thirty days.
      expect(whole - money).toBeLessThanOrEqual(1n)
      expect(money).toBeLessThanOrEqual(whole)
      if (customer !== taking) expect(memory).toBe(1024)
    }
  })
})
