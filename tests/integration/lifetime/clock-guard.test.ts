import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { guardBy, lifetimeContext } from '../../factories/lifetime.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
beforeEach(() => database.owner.query('update control.billing_clock set last_wall_at = null, stopped = null'))
afterAll(() => database.close())

const clocksAt = (wallMs: number) => ({ wallMs, steadyMs: 0 })
const tick = (clocks: { wallMs: number; steadyMs: number }, ms: number, jumpMs = 0) => {
  clocks.steadyMs += ms
  clocks.wallMs += ms + jumpMs
}

describe('a clock jump', () => {
  it.each([6 * MINUTE_MS, -6 * MINUTE_MS])('a jump of %d ms stops billing until staff confirm', async (jumpMs) => {
    const clocks = clocksAt(START_MS)
    const guard = guardBy(database.db, clocks)
    for (let minute = 0; minute < 30; minute += 1) {
      expect(await guard.mayBill()).toBe(true)
      tick(clocks, MINUTE_MS)
    }
    tick(clocks, MINUTE_MS, jumpMs)
    expect(await guard.mayBill()).toBe(false)
    expect(await guard.stopped()).toMatchObject({ kind: 'moved', jumpMs })
    // Going back where it was is a second jump, no cure.
    tick(clocks, MINUTE_MS, -jumpMs)
    expect(await guard.mayBill()).toBe(false)
    await guard.confirm()
    expect([await guard.mayBill(), await guard.stopped()]).toEqual([true, null])
  })

  it('a clock jump stops every process, and later ones, until staff confirm for all of them', async () => {
    const [here, there] = [clocksAt(START_MS), clocksAt(START_MS)]
    const guards = [guardBy(database.db, here), guardBy(database.db, there)]
    for (const guard of guards) expect(await guard.mayBill()).toBe(true)
    tick(here, MINUTE_MS, 10 * MINUTE_MS)
    tick(there, MINUTE_MS)
    const all = () => Promise.all([...guards, guardBy(database.db, { ...there })].map((guard) => guard.mayBill()))
    expect(await guards[0]?.mayBill()).toBe(false)
    expect(await all()).toEqual([false, false, false])
    // The clock was set right, and somebody looked.
    here.wallMs -= 10 * MINUTE_MS
    await guards[1]?.confirm()
    expect(await all()).toEqual([true, true, true])
  })

  it('a clock jump is detected by the database’s clock, and across a restart if it went back', async () => {
    expect(await guardBy(database.db, { ...clocksAt(START_MS), referenceMs: START_MS - 6 * MINUTE_MS }).mayBill()).toBe(
      false,
    )
    await guardBy(database.db, { ...clocksAt(START_MS), referenceMs: START_MS }).confirm()
    expect(await guardBy(database.db, { ...clocksAt(START_MS), referenceMs: START_MS }).mayBill()).toBe(true)
    expect(await guardBy(database.db, clocksAt(START_MS - 6 * MINUTE_MS)).mayBill()).toBe(false)
  })

  it('case 76, T30: nothing is charged, stopped or deleted while the clock is in doubt', async () => {
    const userId = await userWith(database.db, 1980n)
    const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
    await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
    const clocks = clocksAt(START_MS)
    const clockGuard = guardBy(database.db, clocks)
    const run = () => runLifetime(lifetimeContext(database.db, { now: () => clocks.wallMs, clockGuard }))
    expect(await run()).toMatchObject({ ran: true })
    tick(clocks, MINUTE_MS, 12 * BILLING_MONTH_MS)
    expect(await run()).toEqual({ ran: false, looked: 0, failed: 0 })
    tick(clocks, MINUTE_MS, -12 * BILLING_MONTH_MS)
    await clockGuard.confirm()
    expect(await run()).toMatchObject({ ran: true })
    const [server] = await database.owner.query(
      'select desired, desired_power, expires_at from control.servers where id = $1',
      [serverId],
    )
    expect(server).toEqual({
      desired: 'installed',
      desired_power: 'running',
      expires_at: new Date(START_MS + BILLING_MONTH_MS),
    })
  })
})
