import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { beginWithdrawal } from '../../../control-plane/money/withdrawal/begin-withdrawal.ts'
import { confirmWithdrawal } from '../../../control-plane/money/withdrawal/confirm-withdrawal.ts'
import { listWithdrawals } from '../../../control-plane/money/withdrawal/list-withdrawals.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'
import { confirmCommand, withdraw, withdrawalContext } from '../../factories/withdrawals.ts'

/** A Monday, so that no deadline moves to another working day. */
const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => withdrawalContext(database.db, { nowMs })

async function customerWith(moneyFt: bigint, { bonusFt = 0n, months = 1 } = {}) {
  const userId = await userWith(database.db, moneyFt)
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'hu', true, 'electronic', false, false)`,
    [userId, `u-${userId}`, `${userId}@example.test`],
  )
  if (bonusFt > 0n) await grant(userId, bonusFt)
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: SMALL, months, name: 'Castle' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId, orderId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId, orderId, order: { kind: 'order', documentId: orderId } as const }
}
type Customer = Awaited<ReturnType<typeof customerWith>>

async function grant(userId: string, amountFt: bigint): Promise<void> {
  const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
  const given = { id: systemIds.next(), userId, amount: forints(amountFt), reason: 'Welcome' }
  await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, given))
}

async function renewed(customer: Customer, nowMs: number) {
  const result = await renewServer(at(nowMs), renewCommand(customer))
  if (!result.ok) throw new Error(result.code)
  return { kind: 'renewal', documentId: result.answer.renewalId } as const
}
const resize = ({ userId, serverId }: Customer, resources: typeof SMALL, nowMs: number) =>
  modifyServer(at(nowMs), {
    caller: callerOf(userId),
    serverId,
    request: { resources },
    idempotencyKey: systemIds.next(),
    requestId: 'm',
  })
const bucketsOf = async ({ userId }: Customer) => {
  const { money, available } = await balanceOf(database.db, userId)
  return { money, bonus: available - money }
}
const stateOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select desired, desired_power as power, expires_at as expiry, auto_renew as auto from control.servers where id = $1`,
      [serverId],
    )
  )[0]
const count = async (text: string, values: unknown[]) => (await database.owner.query(text, values)).length

describe('a withdrawal from an order', () => {
  it('a withdrawal from an order refunds the unused days to the same buckets, ends the server and sends a receipt at once', async () => {
    const customer = await customerWith(1000n, { bonusFt: 500n })
    expect(await bucketsOf(customer)).toEqual({ money: 0n, bonus: 0n })
    await database.owner.query('update control.servers set auto_renew = true where id = $1', [customer.serverId])
    const nowMs = START_MS + 3 * DAY_MS + 7_200_000
    const [offer] = await listWithdrawals(at(nowMs), callerOf(customer.userId))
    expect(offer).toMatchObject({
      ...customer.order,
      paidFt: 1500,
      backFt: 1350,
      keptFt: 150,
      bonusFt: 350,
      endsNow: true,
    })
    const done = await withdraw(database.db, { userId: customer.userId, subject: customer.order, nowMs })
    expect(done).toMatchObject({ ok: true, answer: { backFt: 1350, keptFt: 150 } })
    expect(await bucketsOf(customer)).toEqual({ money: 1000n, bonus: 350n })
    expect(await stateOf(customer)).toEqual({
      desired: 'installed',
      power: 'stopped',
      expiry: new Date(nowMs),
      auto: false,
    })
    const { userId } = customer
    const mails = `select 1 from control.mails where kind = 'withdrawal' and language = 'hu' and recipient = $1`
    expect(await count(mails, [`${userId}@example.test`])).toBe(1)
    const lines = await database.owner.query(
      `select type, amount_ft, document_kind from control.wallet_transactions where user_id = $1 order by id desc limit 1`,
      [userId],
    )
    expect(lines).toEqual([{ type: 'refund', amount_ft: 1350n, document_kind: 'order' }])
    const told = `select 1 from control.notifications where user_id = $1 and text = 'withdrawal.confirmed'`
    expect(await count(told, [userId])).toBe(1)
    expect(await listWithdrawals(at(nowMs), callerOf(userId))).toEqual([])
  })

  it('a withdrawal from an order of several months ends the server now, not with a later month', async () => {
    const customer = await customerWith(3000n, { months: 2 })
    const nowMs = START_MS + 3 * DAY_MS
    const done = await withdraw(database.db, { userId: customer.userId, subject: customer.order, nowMs })
    expect(done).toMatchObject({ ok: true, answer: { backFt: 2850, keptFt: 150 } })
    expect(await stateOf(customer)).toMatchObject({ power: 'stopped', expiry: new Date(nowMs) })
    expect(await bucketsOf(customer)).toEqual({ money: 2850n, bonus: 0n })
  })

  it('the files are kept for 72 h and then deleted, with only the withdrawal’s notification', async () => {
    const customer = await customerWith(1500n)
    const nowMs = START_MS + DAY_MS
    await withdraw(database.db, { userId: customer.userId, subject: customer.order, nowMs })
    const run = (ms: number) => runLifetime(lifetimeContext(database.db, { now: () => ms }))
    await run(nowMs + 1)
    await run(nowMs + 3 * DAY_MS - 1)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed', power: 'stopped' })
    await run(nowMs + 3 * DAY_MS)
    expect(await stateOf(customer)).toMatchObject({ desired: 'deleted' })
    const expired = `select 1 from control.notifications where user_id = $1 and text = 'server.expired'`
    expect(await count(expired, [customer.userId])).toBe(0)
  })

  it('a withdrawal is refused with a reason after the deadline, without the first step, twice, and for a business', async () => {
    const customer = await customerWith(1500n)
    const { userId, order: subject } = customer
    const confirm = (nowMs: number) => confirmWithdrawal(at(nowMs), confirmCommand(userId, subject))
    expect(await confirm(START_MS + DAY_MS)).toEqual({ ok: false, code: 'NOT_BEGUN' })
    const late = START_MS + 17 * DAY_MS
    expect(await withdraw(database.db, { userId, subject, nowMs: late })).toEqual({
      ok: false,
      code: 'WITHDRAWAL_TOO_LATE',
    })
    expect(await listWithdrawals(at(late), callerOf(userId))).toEqual([])
    await database.owner.query(
      `insert into cms_api.invoice_contacts (id, invoice_type, first_name, last_name, street_and_house_number, postal_code, city,
         country, company, tax_number) values ($1, 'electronic', '', '', '', '', '', 'HU', 'K', '12345678-2-43')`,
      [userId],
    )
    expect(await withdraw(database.db, { userId, subject, nowMs: START_MS })).toMatchObject({ code: 'NOT_A_CONSUMER' })
    await database.owner.query('delete from cms_api.invoice_contacts where id = $1', [userId])
    expect(await withdraw(database.db, { userId, subject, nowMs: START_MS })).toMatchObject({ ok: true })
    expect(await withdraw(database.db, { userId, subject, nowMs: START_MS })).toMatchObject({
      code: 'ALREADY_WITHDRAWN',
    })
    const stranger = await userWith(database.db, 0n)
    expect(await withdraw(database.db, { userId: stranger, subject, nowMs: START_MS })).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('a withdrawal begun on the last day may be confirmed within a day, for the displayed amount', async () => {
    const customer = await customerWith(1500n)
    const { userId, order: subject } = customer
    const [offer] = await listWithdrawals(at(START_MS), callerOf(userId))
    const deadlineMs = Date.parse(offer?.deadline ?? '')
    const begun = await beginWithdrawal(at(deadlineMs - 1), { caller: callerOf(userId), subject, requestId: 'w' })
    expect(begun).toMatchObject({ ok: true })
    const wish = confirmCommand(userId, subject, { expectedBackFt: 1500 })
    expect(await confirmWithdrawal(at(deadlineMs + 1), wish)).toMatchObject({ code: 'PRICE_CHANGED' })
    expect(await confirmWithdrawal(at(deadlineMs + DAY_MS), confirmCommand(userId, subject))).toMatchObject({
      code: 'WITHDRAWAL_TOO_LATE',
    })
    expect(await confirmWithdrawal(at(deadlineMs + DAY_MS - 1), confirmCommand(userId, subject))).toMatchObject({
      ok: true,
    })
  })

  it('a withdrawal from an order includes its upgrades, and repeats no refund of staff or of a downgrade', async () => {
    const customer = await customerWith(6000n)
    await resize(customer, LARGE, START_MS)
    const nowMs = START_MS + 15 * DAY_MS
    await resize(customer, { ...LARGE, ramMiB: 1024 }, nowMs - 1)
    const before = (await bucketsOf(customer)).money
    const done = await withdraw(database.db, { userId: customer.userId, subject: customer.order, nowMs: nowMs - 1 })
    // Two processors and one GiB for 16 days that are left of 30; a begun day is not kept.
    expect(done).toMatchObject({ ok: true, answer: { backFt: 1333 } })
    expect((await bucketsOf(customer)).money - before).toBe(1333n)
  })
})

describe('a withdrawal from a renewal', () => {
  it('a renewal is withdrawn from before its order, is fully refunded, and its period can be renewed again', async () => {
    const customer = await customerWith(6000n)
    const { userId, order } = customer
    const renewal = await renewed(customer, START_MS + DAY_MS)
    const nowMs = START_MS + 2 * DAY_MS
    expect(await withdraw(database.db, { userId, subject: order, nowMs })).toMatchObject({
      code: 'LATER_RENEWAL_FIRST',
    })
    const offers = await listWithdrawals(at(nowMs), callerOf(userId))
    expect(offers.map(({ kind, backFt, laterRenewalFirst }) => [kind, backFt, laterRenewalFirst])).toEqual([
      ['renewal', 1500, false],
      ['order', 1400, true],
    ])
    expect(await withdraw(database.db, { userId, subject: renewal, nowMs })).toMatchObject({ answer: { backFt: 1500 } })
    expect(await stateOf(customer)).toMatchObject({ expiry: new Date(EXPIRY_MS), power: 'running' })
    const again = await renewed(customer, nowMs)
    expect(await stateOf(customer)).toMatchObject({ expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS) })
    expect(await withdraw(database.db, { userId, subject: again, nowMs })).toMatchObject({ ok: true })
    expect(await withdraw(database.db, { userId, subject: order, nowMs })).toMatchObject({ answer: { backFt: 1400 } })
    expect(await bucketsOf(customer)).toEqual({ money: 5900n, bonus: 0n })
  })

  it('a withdrawal from a renewal refunds the part of an upgrade that covers the renewed time', async () => {
    const customer = await customerWith(9000n)
    const { userId } = customer
    const renewal = await renewed(customer, START_MS)
    await resize(customer, LARGE, START_MS)
    expect(await bucketsOf(customer)).toEqual({ money: 3000n, bonus: 0n })
    const done = await withdraw(database.db, { userId, subject: renewal, nowMs: START_MS + DAY_MS })
    expect(done).toMatchObject({ answer: { backFt: 3000, keptFt: 0 } })
    const spans = await database.owner.query(
      `select (end_at - start_at) = interval '720 hours' as month, paid_ft, returned_ft from control.paid_spans
       where server_id = $1 and modification_id is not null order by position`,
      [customer.serverId],
    )
    expect(spans).toEqual([
      { month: true, paid_ft: 1500n, returned_ft: 0n },
      { month: true, paid_ft: 1500n, returned_ft: 1500n },
    ])
  })
})

describe('a withdrawal from premium', () => {
  it('a withdrawal from premium keeps the used days and free spins, and ends the tier, so that another can be bought', async () => {
    const customer = await customerWith(5000n)
    const { userId } = customer
    const buy = (ms: number) =>
      purchasePremium(at(ms), {
        caller: callerOf(userId),
        request: { tier: 'maximus' },
        requestId: 'p',
        idempotencyKey: systemIds.next(),
      })
    const bought = await buy(START_MS)
    if (!bought.ok) throw new Error(bought.code)
    const subject = { kind: 'premium', documentId: bought.answer.id } as const
    await database.owner.query('update control.spin_accounts set granted = granted - 1 where user_id = $1', [userId])
    const nowMs = START_MS + 3 * DAY_MS
    // 1990 Ft for 30 days and 2 spins of 200 Ft, of which one was used.
    const done = await withdraw(database.db, { userId, subject, nowMs })
    expect(done).toMatchObject({ answer: { backFt: 1591, keptFt: 399 } })
    const [spins] = await database.owner.query('select granted from control.spin_accounts where user_id = $1', [userId])
    expect(spins).toEqual({ granted: 0 })
    expect(await buy(nowMs)).toMatchObject({ ok: true })
  })
})

describe('concurrent withdrawals', () => {
  it('two confirmations, a renewal, a resize and the run agree on one withdrawal and one balance', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await customerWith(9000n)
      const { userId, order: subject } = customer
      const nowMs = START_MS + 2 * DAY_MS
      await beginWithdrawal(at(nowMs), { caller: callerOf(userId), subject, requestId: 'w' })
      const same = systemIds.next()
      const results = await Promise.all([
        confirmWithdrawal(at(nowMs), confirmCommand(userId, subject, { key: same })),
        confirmWithdrawal(at(nowMs), confirmCommand(userId, subject, { key: same })),
        confirmWithdrawal(at(nowMs), confirmCommand(userId, subject)),
        renewServer(at(nowMs), renewCommand(customer)),
        resize(customer, LARGE, nowMs),
        runLifetime(lifetimeContext(database.db, { now: () => nowMs })),
      ])
      const withdrawn = `select 1 from control.withdrawals where document_id = $1 and confirmed_at is not null`
      const did = await count(withdrawn, [subject.documentId])
      const [renewal] = [results[3]]
      // Either the renewal was first and the order waits for it, or the withdrawal was, and nothing of the order is left.
      const posted = await count(
        `select 1 from control.ledger_transactions where kind = 'withdrawal' and ref_id = $1`,
        [subject.documentId],
      )
      expect(posted).toBe(did)
      if (did === 0) expect(renewal).toMatchObject({ ok: true })
      const spans = await database.owner.query<{ over: boolean }>(
        'select returned_ft > paid_ft as over from control.paid_spans where server_id = $1',
        [customer.serverId],
      )
      expect(spans.some(({ over }) => over)).toBe(false)
    }
  })
})

it('T27: concurrent staff refunds, resizes and a withdrawal never refund more than was paid', async () => {
  const customer = await customerWith(3000n, { bonusFt: 700n, months: 2 })
  await resize(customer, LARGE, START_MS)
  const { userId } = customer
  await withdraw(database.db, { userId, subject: customer.order, nowMs: START_MS })
  expect(await bucketsOf(customer)).toEqual({ money: 3000n, bonus: 700n })
})
