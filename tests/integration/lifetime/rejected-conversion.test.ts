import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { TAKE_WITHIN_MS } from '#domain/billing/rejected-resize.ts'
import { explainLine } from '../../../control-plane/money/wallet/explain-line.ts'
import { convertServer } from '../../../control-plane/money/conversion/convert-server.ts'
import {
  reverseConversions,
  REJECTED_CONVERSION_FAULTS,
} from '../../../control-plane/money/conversion/reverse-conversion.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { grantedTestServer } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { sellSizes, type Customer } from '../../factories/size-changes.ts'
import { withdraw } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const END_MS = START_MS + DAY_MS
const LATER_MS = START_MS + TAKE_WITHIN_MS
// 1000 Ft for the processor and 500 for each GiB of memory.
const EIGHT = { cpuPercent: 100, ramMiB: 8192, storageMiB: 2048 }
const FOUR = { cpuPercent: 100, ramMiB: 4096, storageMiB: 2048 }
const SAME = { cpuPercent: 100, ramMiB: 1024, storageMiB: 2048 }

let database: ControlDatabase
let shop: Shop
let node: ReturnType<typeof answeringNode>
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 10_000_000 })
  await sellSizes(database.owner)
  node = answeringNode(database, shop)
  staffId = await userWith(database.db, 0n)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  await database.owner.query('delete from control.commands')
  await database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`)
})
afterAll(() => database.close())

const at = (nowMs: number, faults: FaultPoint = async () => {}) =>
  orderContext(database.db, { now: () => nowMs, faults })

/** A customer with a running test server of one GiB. */
async function tester(): Promise<Customer> {
  await node.beatAt(START_MS)
  const made = await grantedTestServer(database, { shop, staffId, moneyFt: 20_000n, nowMs: START_MS })
  await database.owner.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
    [made.serverId],
  )
  return made
}

async function converted({ userId, serverId }: Customer, resources = EIGHT, nowMs = START_MS): Promise<string> {
  const done = await convertServer(at(nowMs), {
    caller: callerOf(userId),
    serverId,
    idempotencyKey: systemIds.next(),
    requestId: 'c',
    request: { resources, months: 1 },
  })
  if (!done.ok) throw new Error(done.code)
  return done.answer.orderId
}
const asked = async ({ serverId }: Customer, nowMs = START_MS) =>
  expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'step', step: { kind: 'update' } })
const refused = async (customer: Customer, nowMs = START_MS) => {
  await asked(customer, nowMs)
  await node.says(customer.serverId, nowMs, { refusal: 'INTERNAL' })
}
const lookedAt = async (nowMs: number, faults?: FaultPoint) => {
  await node.beatAt(nowMs)
  return reverseConversions(at(nowMs, faults))
}
const ONE = { reversed: 1, failed: 0 }
const NONE = { reversed: 0, failed: 0 }
const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).money
const serverOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select is_test as test, memory_mib as memory, (spec -> 'limits' ->> 'memoryMiB')::int as sent, expires_at as expiry,
         package_id as package, desired from control.servers where id = $1`,
      [serverId],
    )
  )[0]
/** The payments and refunds of the order for each span of time, and the order's own end. */
const paidBy = (orderId: string) =>
  database.owner.query(
    `select p.paid_ft as paid, p.returned_ft as returned, p.held_monthly_ft as held, o.state, o.reversed_at as at
     from control.paid_spans p join control.orders o on o.id = p.order_id where p.order_id = $1 order by p.position`,
    [orderId],
  )
const rowsOf = (customer: Customer, query: string) => database.owner.query(query, [customer.userId])

describe('a conversion whose larger size its node rejects', () => {
  it('after a refusal the test server is restored and all the money refunded, once', async () => {
    const customer = await tester()
    const before = await serverOf(customer)
    const orderId = await converted(customer)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([15_000n, { test: false, sent: 8192 }])
    expect(await paidBy(orderId)).toMatchObject([{ paid: 5_000n, returned: 0n, held: 5_000n, at: null }])
    await refused(customer)
    expect(await lookedAt(START_MS + MINUTE_MS)).toEqual(ONE)
    expect([await moneyOf(customer), await serverOf(customer)]).toEqual([20_000n, before])
    const at = new Date(START_MS + MINUTE_MS)
    expect(await paidBy(orderId)).toEqual([{ paid: 5_000n, returned: 5_000n, held: 0n, state: 'failed', at }])
    expect(await lookedAt(START_MS + 2 * MINUTE_MS)).toEqual(NONE)
    expect(await moneyOf(customer)).toBe(20_000n)
    // The node is told the size that the server has.
    await asked(customer, START_MS + 3 * MINUTE_MS)
    await node.says(customer.serverId, START_MS + 3 * MINUTE_MS, 'done')
    expect(await lookedAt(START_MS + 4 * MINUTE_MS)).toEqual(NONE)
  })

  it('a package that was planned since is forgotten with it', async () => {
    const customer = await tester()
    await converted(customer)
    await database.owner.query(
      `update control.servers set planned_package_id = gen_random_uuid(), planned_price_ft = 490, planned_limits = '{}', planned_from = now()
       where id = $1`,
      [customer.serverId],
    )
    await refused(customer)
    expect(await lookedAt(START_MS + MINUTE_MS)).toEqual(ONE)
    const plan = 'select planned_package_id as plan from control.servers where id = $1'
    expect(await database.owner.query(plan, [customer.serverId])).toEqual([{ plan: null }])
  })

  it('a silent node has ten minutes', async () => {
    const customer = await tester()
    const orderId = await converted(customer)
    await asked(customer)
    expect(await lookedAt(LATER_MS - 1)).toEqual(NONE)
    expect(await moneyOf(customer)).toBe(15_000n)
    expect(await lookedAt(LATER_MS)).toEqual(ONE)
    expect(await moneyOf(customer)).toBe(20_000n)
    expect(await paidBy(orderId)).toMatchObject([{ paid: 5_000n, returned: 5_000n }])
  })

  it('an accepted size stays for good, even if the node loses its record', async () => {
    const [slow, old] = [await tester(), await tester()]
    const hasGeneration = ({ serverId }: Customer, generation: number) =>
      database.owner.query('update control.server_state set observed_generation = $2 where server_id = $1', [
        serverId,
        generation,
      ])
    for (const customer of [slow, old]) {
      await converted(customer)
      await asked(customer)
    }
    await node.says(slow.serverId, LATER_MS - 1, 'done')
    await hasGeneration(slow, 1)
    // A program of the release before observes it, and notes nothing.
    await hasGeneration(old, 2)
    expect(await lookedAt(LATER_MS)).toEqual(NONE)
    await hasGeneration(old, 1)
    await database.owner.query(
      `update control.commands set state = 'superseded' where state in ('pending', 'accepted')`,
    )
    for (const customer of [slow, old]) await refused(customer, LATER_MS)
    expect(await lookedAt(LATER_MS + 60 * MINUTE_MS)).toEqual(NONE)
    expect(await Promise.all([slow, old].map(moneyOf))).toEqual([15_000n, 15_000n])
    expect(await serverOf(slow)).toMatchObject({ test: false, memory: 8192 })
  })

  it('the owner is told in the statement, the bell, the log and by a document', async () => {
    const customer = await tester()
    const { userId, serverId } = customer
    const orderId = await converted(customer)
    await refused(customer)
    await lookedAt(START_MS + MINUTE_MS)
    const lines = `select type, amount_ft as ft, refunded_ft as refunded from control.wallet_transactions
      where user_id = $1 and document_kind = 'order' order by type`
    expect(await rowsOf(customer, lines)).toEqual([
      { type: 'order', ft: -5000n, refunded: 5000n },
      { type: 'refund', ft: 5000n, refunded: 0n },
    ])
    const notices = `select data from control.notifications where user_id = $1 and text = 'refund.size'`
    expect(await rowsOf(customer, notices)).toEqual([{ data: { sid: serverId, name: 'Try', amount: 5000 } }])
    const acts = `select detail ->> 'because' as because, status from control.activities
      where user_id = $1 and type = 'server.size-refused'`
    expect(await rowsOf(customer, acts)).toEqual([{ because: 'refused', status: 'failure' }])
    const papers = `select kind, gross_ft as ft from control.invoices where user_id = $1 order by id`
    expect(await rowsOf(customer, papers)).toEqual([
      { kind: 'invoice', ft: 5000n },
      { kind: 'storno', ft: -5000n },
    ])
    const [line] = (await rowsOf(
      customer,
      `select id from control.wallet_transactions where user_id = $1 and type = 'refund'`,
    )) as { id: string }[]
    const explained = await explainLine(database.db, { userId, locale: 'en', transactionId: line?.id ?? '' })
    expect(explained).toMatchObject({ cause: 'given-back', formula: [{ kind: 'flat', amountFt: 5000 }] })
    const subject = { kind: 'order', documentId: orderId } as const
    expect((await withdraw(database.db, { userId, subject, nowMs: LATER_MS })).ok).toBe(false)
  })

  it('the owner can order another size that the node accepts', async () => {
    const customer = await tester()
    await converted(customer)
    await refused(customer)
    await lookedAt(START_MS + MINUTE_MS)
    await converted(customer, FOUR, LATER_MS)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([17_000n, { test: false, memory: 4096 }])
    await asked(customer, LATER_MS)
    await node.says(customer.serverId, LATER_MS, 'done')
    expect(await lookedAt(LATER_MS + 60 * MINUTE_MS)).toEqual(NONE)
    expect(await renewServer(at(LATER_MS), renewCommand(customer))).toMatchObject({ ok: true })
    expect(await moneyOf(customer)).toBe(14_000n)
  })

  it('after the end of the test it ends now, and its owner has 72 h from here on', async () => {
    const customer = await tester()
    await converted(customer, EIGHT, END_MS + DAY_MS)
    await refused(customer, END_MS + DAY_MS)
    const nowMs = END_MS + DAY_MS + MINUTE_MS
    expect(await lookedAt(nowMs)).toEqual(ONE)
    expect(await serverOf(customer)).toMatchObject({ test: true, expiry: new Date(nowMs) })
  })

  it('a conversion stays if it asks nothing more of the node, was renewed since, or was withdrawn from', async () => {
    const [same, renewed, withdrawn] = [await tester(), await tester(), await tester()]
    await converted(same, SAME)
    await refused(same)
    await converted(renewed)
    expect(await renewServer(at(START_MS), renewCommand(renewed))).toMatchObject({ ok: true })
    await refused(renewed)
    const documentId = await converted(withdrawn)
    await refused(withdrawn)
    const subject = { kind: 'order', documentId } as const
    await withdraw(database.db, { userId: withdrawn.userId, subject, nowMs: START_MS })
    expect(await lookedAt(LATER_MS)).toEqual(NONE)
    expect(await Promise.all([same, renewed, withdrawn].map(moneyOf))).toEqual([18_500n, 10_000n, 20_000n])
  })

  it.each(REJECTED_CONVERSION_FAULTS)('I9: after a throw at %s the next run does all of it once', async (fault) => {
    const customer = await tester()
    const orderId = await converted(customer)
    await refused(customer)
    const faults = async (name: string) => {
      if (name === fault) throw new Error(fault)
    }
    const isDone = fault === 'rejected-conversion.committed'
    expect(await lookedAt(LATER_MS, faults)).toEqual({ reversed: 0, failed: 1 })
    expect(await moneyOf(customer)).toBe(isDone ? 20_000n : 15_000n)
    expect(await paidBy(orderId)).toMatchObject([{ paid: 5_000n, returned: isDone ? 5_000n : 0n }])
    expect(await lookedAt(LATER_MS)).toEqual(isDone ? NONE : ONE)
    expect([await moneyOf(customer), await serverOf(customer)]).toMatchObject([20_000n, { test: true, sent: 1024 }])
    expect(await paidBy(orderId)).toMatchObject([{ paid: 5_000n, returned: 5_000n }])
  })
})
