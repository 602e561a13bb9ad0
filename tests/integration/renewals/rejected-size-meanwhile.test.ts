import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { TAKE_WITHIN_MS } from '#domain/billing/rejected-resize.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { chargebackClaimed } from '../../../control-plane/money/ledger/payment-postings.ts'
import { revertRejected } from '../../../control-plane/money/modification/revert-rejected.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { requestDeletion } from '../../../control-plane/servers/store/server-store.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { userWith } from '../../factories/shop.ts'
import { HUGE, IN_LARGE, IN_SMALL, LARGE, openSizes, SMALL, type Customer } from '../../factories/size-changes.ts'
import { withdraw } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let sizes: Awaited<ReturnType<typeof openSizes>>
beforeAll(async () => {
  sizes = await openSizes()
})
afterEach(() => sizes.rest())
afterAll(() => sizes.database.close())

describe('T51: concurrent changes of a rejected size', () => {
  it('T51: a downgrade on top of it is the newest change: nothing is refunded twice', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    expect(await sizes.resized(customer, SMALL, START_MS + 3 * HOUR_MS)).toMatchObject({ answer: { backFt: 1494 } })
    expect(await sizes.lookedAt(START_MS + 4 * HOUR_MS)).toBe(0)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([4994n, IN_SMALL])
  })

  it('T51: an upgrade on top of it is reverted first, then it: each refunds its own charge', async () => {
    const customer = await sizes.customerWith(9000n)
    await sizes.refused(customer)
    await sizes.refused(customer, HUGE, START_MS + 10 * DAY_MS)
    expect(await sizes.moneyOf(customer)).toBe(9000n - 1500n - 1000n)
    expect(await sizes.lookedAt(START_MS + 10 * DAY_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([7500n, IN_LARGE])
    expect(await sizes.lookedAt(START_MS + 10 * DAY_MS + MINUTE_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([9000n, IN_SMALL])
    expect(await sizes.keysOf(customer)).toHaveLength(2)
  })

  it('T51: an accepted size stays below a rejected one', async () => {
    const customer = await sizes.customerWith(9000n)
    await sizes.resized(customer, LARGE)
    await sizes.asked(customer)
    await sizes.node.says(customer.serverId, START_MS, 'done')
    await sizes.refused(customer, HUGE, START_MS + DAY_MS)
    expect(await sizes.lookedAt(START_MS + 2 * DAY_MS)).toBe(1)
    expect(await sizes.lookedAt(START_MS + 3 * DAY_MS)).toBe(0)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([7500n, IN_LARGE])
  })

  it.each([
    ['a part', 400, 5000n, 1],
    ['all that was paid', undefined, 0n, 0],
  ])('T51: a refund by staff, %s, is not made twice', async (_part, amountFt, _left, told) => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    const staffId = await userWith(sizes.database.db, 0n)
    const refund = { staffId, serverId: customer.serverId, amountFt, reason: 'The node was down.', endServer: false }
    const keys = { requestId: 'refund', idempotencyKey: systemIds.next() }
    expect(await refundServer(sizes.at(START_MS + 1), { ...refund, ...keys })).toMatchObject({ ok: true })
    const given = (await sizes.moneyOf(customer)) - 3500n
    expect(await sizes.lookedAt(START_MS + MINUTE_MS)).toBe(1)
    // Staff give of the time to come first, the latest of it: 400 Ft were of the order or of the change, and together no more than was paid.
    const returned = await sizes.database.owner.query<{ ft: bigint; of_change: bigint }>(
      `select sum(returned_ft)::bigint as ft, sum(paid_ft - returned_ft) filter (where modification_id is not null)::bigint as of_change
       from control.paid_spans where server_id = $1`,
      [customer.serverId],
    )
    expect(returned).toEqual([{ ft: (await sizes.moneyOf(customer)) - 3500n, of_change: 0n }])
    expect(given).toBeLessThanOrEqual(3000n)
    expect(await sizes.serverOf(customer)).toMatchObject(IN_SMALL)
    expect(await sizes.keysOf(customer)).toHaveLength(told)
  })

  it('T51: after a withdrawal from its order, the few kept forints are refunded', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    const [order] = await sizes.database.owner.query<{ id: string }>(
      'select id from control.orders where user_id = $1',
      [customer.userId],
    )
    const nowMs = START_MS + 2 * DAY_MS
    const answer = await withdraw(sizes.database.db, {
      userId: customer.userId,
      subject: { kind: 'order', documentId: order?.id ?? '' },
      nowMs,
    })
    const { backFt = 0 } = answer.ok ? answer.answer : {}
    expect(await sizes.lookedAt(nowMs + MINUTE_MS)).toBe(1)
    // Two days of thirty were used of the small size alone: 100 Ft.
    expect([backFt, await sizes.moneyOf(customer)]).toEqual([2800, 3500n + 2800n + 100n])
    expect(await sizes.lookedAt(nowMs + HOUR_MS)).toBe(0)
  })

  it('T51: later renewals at the larger price are reduced to the old one', async () => {
    const customer = await sizes.customerWith(6000n)
    await sizes.refused(customer)
    expect(await renewServer(sizes.at(START_MS + 1), renewCommand(customer))).toMatchObject({
      answer: { totalFt: 3000 },
    })
    expect(await sizes.moneyOf(customer)).toBe(1500n)
    expect(await sizes.lookedAt(START_MS + BILLING_MONTH_MS + DAY_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([4500n, IN_SMALL])
    expect(await sizes.keysOf(customer)).toHaveLength(1)
  })

  it('T51: an expired server gets its size and price back, a deleted one is left alone', async () => {
    const expired = await sizes.customerWith(5000n)
    const deleted = await sizes.customerWith(5000n)
    await sizes.refused(expired)
    await sizes.refused(deleted)
    await sizes.database.owner.transaction((tx) => requestDeletion(tx, deleted.serverId))
    expect(await sizes.lookedAt(START_MS + BILLING_MONTH_MS + DAY_MS)).toBe(1)
    expect([await sizes.moneyOf(expired), await sizes.serverOf(expired)]).toMatchObject([5000n, IN_SMALL])
    expect([await sizes.moneyOf(deleted), await sizes.serverOf(deleted)]).toMatchObject([3500n, { desired: 'deleted' }])
  })

  it('T51: a server whose price has changed since is left alone', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    await sizes.database.owner.query('update control.servers set monthly_price_ft = 2900 where id = $1', [
      customer.serverId,
    ])
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect(await sizes.moneyOf(customer)).toBe(3500n)
  })

  it('T51: an earlier refusal of the node says nothing about the change', async () => {
    const customer = await sizes.customerWith(6500n)
    expect(await renewServer(sizes.at(START_MS), renewCommand(customer))).toMatchObject({ ok: true })
    await sizes.asked(customer)
    await sizes.node.says(customer.serverId, START_MS, { refusal: 'INTERNAL' })
    await sizes.resized(customer, LARGE, START_MS + 1)
    expect(await sizes.lookedAt(START_MS + 2)).toBe(0)
    expect(await sizes.serverOf(customer)).toMatchObject(IN_LARGE)
  })

  it('T51: a size that the node accepted between two runs, and lost again, stays', async () => {
    const customer = await sizes.customerWith(5000n)
    const { serverId } = customer
    await sizes.resized(customer, LARGE)
    await sizes.asked(customer)
    await sizes.node.says(serverId, START_MS, 'done')
    await sizes.database.owner.query(
      `update control.server_state set state = 'unknown', observed_generation = 0 where server_id = $1`,
      [serverId],
    )
    await sizes.asked(customer, START_MS + 1)
    await sizes.node.says(serverId, START_MS + 1, { refusal: 'INTERNAL' })
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
  })

  it('T51: a refusal of the previous node says nothing about the current one', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    const otherId = systemIds.next()
    await sizes.database.owner.query(
      `insert into control.nodes (id, computer_id, public_key, name, created_at) values ($1, $1, $2, 'other', $3)`,
      [otherId, otherId, new Date(START_MS)],
    )
    await sizes.database.owner.query('update control.servers set node_id = $2 where id = $1', [
      customer.serverId,
      otherId,
    ])
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
  })

  it('T51: the refund first pays a debt', async () => {
    const customer = await sizes.customerWith(1500n)
    const { userId } = customer
    await sizes.refused(customer)
    const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
    const taken = { documentId: origin.id, sourceId: '', provider: 'sandbox', userId, amount: forints(900n) }
    await sizes
      .at(START_MS)
      .ledgerOn(sizes.database.db)
      .post(chargebackClaimed(origin, taken, forints(0n)))
    expect(await readDebtFt(sizes.at(START_MS).ledgerOn(sizes.database.db), userId)).toBe(900n)
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(1)
    expect(await readDebtFt(sizes.at(START_MS).ledgerOn(sizes.database.db), userId)).toBe(0n)
    expect(await sizes.moneyOf(customer)).toBe(600n)
  })

  it('T51: many concurrent runs, a report of the node and another change move the money once', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => sizes.customerWith(5000n)))
    for (const customer of customers) await sizes.refused(customer)
    const [taking, changing] = customers as [Customer, Customer]
    await sizes.asked(taking, START_MS + MINUTE_MS)
    const nowMs = START_MS + MINUTE_MS + TAKE_WITHIN_MS
    await sizes.node.beatAt(nowMs)
    const runs = Array.from({ length: 4 }, () => revertRejected(sizes.at(nowMs)))
    await Promise.all([...runs, sizes.node.says(taking.serverId, nowMs, 'done'), sizes.resized(changing, SMALL, nowMs)])
    for (const customer of customers) {
      const money = await sizes.moneyOf(customer)
      const { memory } = (await sizes.serverOf(customer)) as { memory: number }
      const whole = memory === 2048 ? 3500n : 5000n
      // A customer who changed back first got the part that was not used: minutes of thirty days.
      expect(whole - money).toBeLessThanOrEqual(1n)
      expect(money).toBeLessThanOrEqual(whole)
      if (customer !== taking) expect(memory).toBe(1024)
    }
  })
})
