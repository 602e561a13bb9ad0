import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import {
  readServerCharges,
  refundServer,
  SERVER_REFUND_FAULTS,
  type RefundServer,
} from '../../../control-plane/money/withdrawal/refund-server.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { balanceOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { withdraw } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const NOW_MS = START_MS + 10 * DAY_MS

let database: ControlDatabase
let shop: Shop
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 500, memoryMiB: 10_000_000 })
  staffId = await userWith(database.db, 0n)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number, faults: (name: string) => Promise<void> = async () => {}) =>
  orderContext(database.db, { now: () => nowMs, faults })

/** 990 Ft for a month: 390 of them bonus. */
async function customer() {
  const userId = await userWith(database.db, 600n)
  const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
  const grant = { id: systemIds.next(), userId, amount: forints(390n), reason: 'Welcome' }
  await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, grant))
  return { userId, ...(await paidServer(database.db, { shop, userId, nowMs: START_MS })) }
}
const commandOf = (serverId: string, changes: Partial<RefundServer> = {}): RefundServer => ({
  staffId,
  serverId,
  amountFt: undefined,
  reason: 'The node was down all week.',
  endServer: false,
  requestId: 'refund-1',
  idempotencyKey: systemIds.next(),
  ...changes,
})
const bucketsOf = async (userId: string) => {
  const { money, available } = await balanceOf(database.db, userId)
  return { money, bonus: available - money }
}
const serverOf = async (serverId: string) =>
  (
    await database.owner.query<Record<string, unknown>>(
      'select desired_power as power, expires_at as expiry from control.servers where id = $1',
      [serverId],
    )
  )[0]

describe('refunds of a server by staff', () => {
  it('T27: staff refund the unused part by default, money first', async () => {
    const { userId, serverId } = await customer()
    const shown = await readServerCharges(at(NOW_MS), serverId)
    expect(shown).toMatchObject({ paid: { minor: 990n }, returned: { minor: 0n }, unused: { minor: 660n } })
    const command = commandOf(serverId)
    expect(await refundServer(at(NOW_MS), command)).toMatchObject({ ok: true, answer: { moneyFt: 600, bonusFt: 60 } })
    expect(await refundServer(at(NOW_MS), command)).toMatchObject({ ok: true, replayed: true })
    expect(await bucketsOf(userId)).toEqual({ money: 600n, bonus: 60n })
    expect(await serverOf(serverId)).toEqual({ power: 'running', expiry: new Date(START_MS + BILLING_MONTH_MS) })
    const told = await database.owner.query(
      `select text, data ->> 'reason' as reason from control.notifications where user_id = $1 and text = 'server.refunded'`,
      [userId],
    )
    expect(told).toEqual([{ text: 'server.refunded', reason: command.reason }])
  })

  it('nothing is refunded if the owner is gone', async () => {
    const { userId, serverId } = await customer()
    await database.owner.query('insert into cms_api.erased_people (id) values ($1)', [userId])
    const before = await bucketsOf(userId)
    expect(await readServerCharges(at(NOW_MS), serverId)).toBeUndefined()
    expect(await refundServer(at(NOW_MS), commandOf(serverId))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await bucketsOf(userId)).toEqual(before)
  })

  it('I8: refunds never exceed the unrefunded payments, whoever makes them and however often', async () => {
    const { userId, serverId, orderId } = await customer()
    const refund = (amountFt: number) => refundServer(at(NOW_MS), commandOf(serverId, { amountFt }))
    expect(await refund(991)).toEqual({ ok: false, code: 'MORE_THAN_PAID' })
    const answers = await Promise.all([refund(400), refund(400), refund(400)])
    expect(answers.map((answer) => (answer.ok ? 'given' : answer.code)).toSorted()).toEqual([
      'MORE_THAN_PAID',
      'given',
      'given',
    ])
    const subject = { kind: 'order', documentId: orderId } as const
    await withdraw(database.db, { userId, subject, nowMs: START_MS + 3 * DAY_MS })
    expect(await bucketsOf(userId)).toEqual({ money: 600n, bonus: 390n })
    expect(await refund(1)).toEqual({ ok: false, code: 'MORE_THAN_PAID' })
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63])('the amount %s is refused', async (amountFt) => {
    const { serverId } = await customer()
    const refused = await refundServer(at(NOW_MS), commandOf(serverId, { amountFt }))
    expect(refused).toEqual({ ok: false, code: 'AMOUNT_INVALID' })
  })

  it('a refund needs a reason and a server, and ends the server if requested', async () => {
    const { serverId } = await customer()
    const noReason = await refundServer(at(NOW_MS), commandOf(serverId, { reason: ' ' }))
    expect(noReason).toEqual({ ok: false, code: 'REASON_MISSING' })
    expect(await refundServer(at(NOW_MS), commandOf(systemIds.next()))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await refundServer(at(NOW_MS), commandOf(serverId, { endServer: true }))).toMatchObject({ ok: true })
    expect(await serverOf(serverId)).toEqual({ power: 'stopped', expiry: new Date(NOW_MS) })
  })

  it.each(SERVER_REFUND_FAULTS)('I9: after an exception at %s, the repetition refunds once', async (fault) => {
    const { userId, serverId } = await customer()
    const command = commandOf(serverId, { amountFt: 600 })
    const faults = async (name: string) => {
      if (name === fault) throw new Error(fault)
    }
    await expect(refundServer(at(NOW_MS, faults), command)).rejects.toThrow(fault)
    expect((await bucketsOf(userId)).money).toBe(fault === 'server-refund.committed' ? 600n : 0n)
    await refundServer(at(NOW_MS), command)
    expect(await bucketsOf(userId)).toEqual({ money: 600n, bonus: 0n })
  })
})
