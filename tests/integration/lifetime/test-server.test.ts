import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { setAutoRenewal } from '../../../control-plane/money/renewals/set-auto-renewal.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  staffId = await userWith(database.db, 0n)
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const customer = async () => {
  const userId = await userWith(database.db, 5000n)
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'hu', true, 'electronic', false, false)`,
    [userId, `u-${userId}`, `${userId}@example.test`],
  )
  return userId
}
const grant = (userId: string) =>
  grantTestServer(at(START_MS), {
    caller: { ...callerOf(staffId), isSupport: true },
    wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
    requestId: 'ticket-1',
  })
const granted = async () => {
  const userId = await customer()
  const answer = await grant(userId)
  if (!answer.ok) throw new Error(answer.code)
  return { userId, serverId: answer.serverId }
}
const expiryOf = async (serverId: string) =>
  (
    await database.owner.query<{ expires_at: Date; desired: string }>(
      'select expires_at, desired from control.servers where id = $1',
      [serverId],
    )
  )[0]

describe('a test server', () => {
  it('a customer gets one test server ever, without charge, even from two members of staff at once', async () => {
    const userId = await customer()
    const answers = await Promise.all([grant(userId), grant(userId), grant(userId)])
    expect(answers.map((answer) => (answer.ok ? 'granted' : answer.code)).toSorted()).toEqual([
      'TEST_ALREADY_HAD',
      'TEST_ALREADY_HAD',
      'granted',
    ])
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    expect(await grant('01890000-0000-7000-8000-000000000000')).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('a test server runs for a day from its installation on, then expires and is deleted like others', async () => {
    const { userId, serverId } = await granted()
    const installedMs = START_MS + 600_000
    for (const outcome of ['installed', 'failed', 'installed'] as const) {
      await settleOrder(at(installedMs), { serverId, outcome, reason: '' })
    }
    expect(await expiryOf(serverId)).toEqual({ expires_at: new Date(installedMs + DAY_MS), desired: 'installed' })
    const run = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
    await run(installedMs + DAY_MS - 1)
    await run(installedMs + DAY_MS)
    const notices = await database.owner.query<{ text: string; data: { isTest?: boolean } }>(
      'select text, data from control.notifications where user_id = $1 order by id',
      [userId],
    )
    expect(notices.map(({ text }) => text)).toEqual(['server.installed', 'server.expired'])
    // It is kept by buying it: nobody renews a test.
    expect(notices.at(-1)?.data.isTest).toBe(true)
    await run(installedMs + 4 * DAY_MS)
    expect(await expiryOf(serverId)).toMatchObject({ desired: 'deleted' })
    expect(await grant(userId)).toEqual({ ok: false, code: 'TEST_ALREADY_HAD' })
  })

  it('a test server is not renewed, neither by hand nor automatically', async () => {
    const server = await granted()
    await settleOrder(at(START_MS), { serverId: server.serverId, outcome: 'installed', reason: '' })
    expect(await renewServer(at(START_MS), renewCommand(server))).toEqual({ ok: false, code: 'TEST_SERVER' })
    const caller = callerOf(server.userId)
    const wish = { caller, serverId: server.serverId, enabled: true }
    expect(await setAutoRenewal(at(START_MS), wish)).toEqual({ ok: false, code: 'TEST_SERVER' })
  })

  it('a test server on an absent node does not expire, and its day begins at its installation', async () => {
    const { userId, serverId } = await granted()
    const run = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
    await run(START_MS + DAY_MS)
    await run(START_MS + 4 * DAY_MS)
    const installedMs = START_MS + 5 * DAY_MS
    await settleOrder(at(installedMs), { serverId, outcome: 'installed', reason: '' })
    expect(await expiryOf(serverId)).toEqual({ expires_at: new Date(installedMs + DAY_MS), desired: 'installed' })
    const said = `select text from control.notifications where user_id = $1`
    expect(await database.owner.query(said, [userId])).toEqual([{ text: 'server.installed' }])
  })

  it('a test server that a previous release stopped before its day runs for its day', async () => {
    const { serverId } = await granted()
    await database.owner.query(
      `update control.servers set desired_power = 'stopped', stopped_by_expiry = true where id = $1`,
      [serverId],
    )
    await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
    const power = 'select desired_power as power, stopped_by_expiry as "byExpiry" from control.servers where id = $1'
    expect(await database.owner.query(power, [serverId])).toEqual([{ power: 'running', byExpiry: false }])
  })

  it('a test server that is not installed in time is given up, and another may be granted', async () => {
    const given = await granted()
    const [installed, gone] = [await granted(), await granted()]
    await settleOrder(at(START_MS), { serverId: installed.serverId, outcome: 'installed', reason: '' })
    await database.owner.query(`update control.servers set desired = 'deleted' where id = $1`, [gone.serverId])
    await expireHolds(at(START_MS + HOLD_MS - 1))
    expect(await expiryOf(given.serverId)).toMatchObject({ desired: 'installed' })
    expect(await grant(given.userId)).toEqual({ ok: false, code: 'TEST_ALREADY_HAD' })
    await database.owner.query('delete from control.outbox')
    await expireHolds(at(START_MS + HOLD_MS))
    expect(await expireHolds(at(START_MS + HOLD_MS))).toBe(0)
    expect(await expiryOf(given.serverId)).toMatchObject({ desired: 'deleted' })
    expect(await expiryOf(installed.serverId)).toMatchObject({ desired: 'installed' })
    const sent = await database.owner.query(
      `select 1 from control.outbox where topic = 'provision-server' and payload ->> 'serverId' = $1`,
      [given.serverId],
    )
    expect(sent).toHaveLength(1)
    // A late word of the node installs nothing any more.
    await settleOrder(at(START_MS + HOLD_MS), { serverId: given.serverId, outcome: 'installed', reason: '' })
    expect(await expiryOf(given.serverId)).toMatchObject({ desired: 'deleted' })
    expect(await grant(given.userId)).toMatchObject({ ok: true })
  })

  it('a test server whose installation failed is removed, and another may be granted', async () => {
    const { userId, serverId } = await granted()
    await settleOrder(at(START_MS), { serverId, outcome: 'failed', reason: 'INSTALL_FAILED' })
    expect(await expiryOf(serverId)).toMatchObject({ desired: 'deleted' })
    expect(await grant(userId)).toMatchObject({ ok: true })
  })
})
