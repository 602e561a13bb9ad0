import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { guardBy, lifetimeContext } from '../../factories/lifetime.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, credit, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 5000, memoryMiB: 50_000_000 })
})
// A run looks at every server there is: those of other tests have ended.
beforeEach(async () => {
  await database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`)
  await database.owner.query('update control.billing_clock set last_wall_at = null, stopped = null')
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

type Customer = { readonly userId: string; readonly serverId: string }

/** A customer whose server renews itself, with so much money left. */
async function customerWith(restFt: bigint): Promise<Customer> {
  const userId = await userWith(database.db, 990n + restFt)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
  return { userId, serverId }
}
const runAt = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
const renewalsOf = async ({ serverId }: Customer) =>
  (await database.owner.query('select 1 from control.renewals where server_id = $1', [serverId])).length
const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).money

/** A run that stops at a point of its work until it is let go. */
function stalledAt(point: string, nowMs: number) {
  let letGo = () => {}
  let arrived = () => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  const there = new Promise<void>((resolve) => (arrived = resolve))
  const faults = async (name: string) => {
    if (name !== point) return
    arrived()
    await gate
  }
  const run = runLifetime(lifetimeContext(database.db, { now: () => nowMs, faults }))
  return { there, letGo: () => letGo(), run }
}

describe('case 72: a renewal that runs twice', () => {
  const nowMs = EXPIRY_MS - HOUR_MS

  it('case 72: a run that stalled after reading due servers charges nothing a second time', async () => {
    const customer = await customerWith(5000n)
    const stalled = stalledAt('lifetime.page', nowMs)
    await stalled.there
    // Another program gets the same job, and the owner has not waited for it either.
    const expiry = new Date(EXPIRY_MS).toISOString()
    const clicked = renewServer(
      orderContext(database.db, { now: () => nowMs }),
      renewCommand(customer, { request: { expiry } }),
    )
    const others = await Promise.all([runAt(nowMs + 30_000), runAt(nowMs + 31_000)])
    expect(others.map(({ failed }) => failed)).toEqual([0, 0])
    await clicked
    stalled.letGo()
    expect(await stalled.run).toMatchObject({ failed: 0 })
    expect([await renewalsOf(customer), await moneyOf(customer)]).toEqual([1, 4010n])
  })

  it('case 72: a run that froze in the middle of a charge loses it, and the next one charges once', async () => {
    const customer = await customerWith(5000n)
    const stalled = stalledAt('lifetime.acted', nowMs)
    await stalled.there
    const others = [runAt(nowMs + 30_000), runAt(nowMs + 31_000)]
    const waiting = () =>
      database.owner.query<{ pid: number; state: string; wait: string | null }>(
        `select pid, state, wait_event_type as wait from pg_stat_activity where datname = current_database()`,
      )
    // Both: one that is still on its way there is idle between two statements as well, and would be ended in its place.
    const blocked = async () => (await waiting()).filter(({ wait }) => wait === 'Lock').length
    await waitFor('the others', async () => ((await blocked()) === 2 ? true : undefined))
    // PostgreSQL ends the transaction of a program that does not go on.
    for (const { pid, state } of await waiting()) {
      if (state === 'idle in transaction') await database.owner.query('select pg_terminate_backend($1)', [pid])
    }
    expect((await Promise.all(others)).map(({ failed }) => failed)).toEqual([0, 0])
    stalled.letGo()
    expect(await stalled.run).toMatchObject({ looked: 1, failed: 1 })
    expect([await renewalsOf(customer), await moneyOf(customer)]).toEqual([1, 4010n])
    await runAt(nowMs + MINUTE_MS)
    expect([await renewalsOf(customer), await moneyOf(customer)]).toEqual([1, 4010n])
  })

  it('case 72: the table itself accepts one charge per period', async () => {
    const customer = await customerWith(990n)
    await runAt(nowMs)
    const copy = database.owner.query(
      `insert into control.renewals select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'hold_id', gen_random_uuid()))).*
       from control.renewals r where server_id = $1`,
      [customer.serverId],
    )
    await expect(copy).rejects.toThrow(/renewals_period/)
  })
})

describe('case 76: a clock jump of one program', () => {
  const jumps: [string, number][] = [
    ['a day back', -DAY_MS],
    ['a day ahead', DAY_MS],
    ['a year ahead', 365 * DAY_MS],
  ]
  /** Two programs whose run comes each minute, on servers in the middle and at the end of their paid time. */
  async function twoPrograms(realMs: number) {
    const clocks = [0, 1].map(() => ({ wallMs: realMs, steadyMs: 0 }))
    const start = (clock: { wallMs: number; steadyMs: number }) => {
      const clockGuard = guardBy(database.db, clock)
      return {
        clockGuard,
        run: () => runLifetime(lifetimeContext(database.db, { now: () => clock.wallMs, clockGuard })),
      }
    }
    const programs = clocks.map(start)
    const minute = async () => {
      for (const clock of clocks) {
        clock.wallMs += MINUTE_MS
        clock.steadyMs += MINUTE_MS
      }
      const runs = []
      for (const program of programs) runs.push((await program.run()).ran)
      return runs
    }
    return { clocks, programs, minute, start }
  }

  it.each(jumps)('case 76: after a jump by %s nobody is charged early, and each period once', async (_name, jumpMs) => {
    const due = await customerWith(20_000n)
    const later = await customerWith(20_000n)
    await database.owner.query('update control.servers set expires_at = $2 where id = $1', [
      later.serverId,
      new Date(EXPIRY_MS + 20 * DAY_MS),
    ])
    const charged = async () => [await renewalsOf(due), await renewalsOf(later)]
    const { clocks, programs, minute } = await twoPrograms(EXPIRY_MS - DAY_MS - 5 * MINUTE_MS)
    expect(await minute()).toEqual([true, true])
    expect(await charged()).toEqual([0, 0])
    const wrong = clocks[1]
    if (!wrong) throw new Error('two programs have two clocks')
    wrong.wallMs += jumpMs
    // The first run of the other one may still come before the jump is seen; from then on both stand still.
    await minute()
    for (let count = 0; count < 3; count += 1) expect(await minute()).toEqual([false, false])
    expect(await charged()).toEqual([0, 0])
    wrong.wallMs -= jumpMs
    await programs[0]?.clockGuard.confirm()
    for (let count = 0; count < 5; count += 1) expect(await minute()).toEqual([true, true])
    expect(await charged()).toEqual([1, 0])
    expect([await moneyOf(due), await moneyOf(later)]).toEqual([19_010n, 20_000n])
  })

  it.each(jumps)('case 76: the database’s clock shows a jump by %s over a restart', async (_name, jumpMs) => {
    const due = await customerWith(20_000n)
    const realMs = EXPIRY_MS - 2 * DAY_MS
    await guardBy(database.db, { wallMs: realMs, steadyMs: 0, referenceMs: realMs }).mayBill()
    const wallMs = realMs + jumpMs
    const clockGuard = guardBy(database.db, { wallMs, steadyMs: 0, referenceMs: realMs })
    const run = await runLifetime(lifetimeContext(database.db, { now: () => wallMs, clockGuard }))
    expect([run.ran, await renewalsOf(due)]).toEqual([false, 0])
  })

  it('case 76: a run with a clock a year ahead charges no more than one period of a server', async () => {
    const customers = [await customerWith(20_000n), await customerWith(20_000n)]
    await runAt(EXPIRY_MS + 365 * DAY_MS)
    for (const customer of customers) {
      expect([await renewalsOf(customer), await moneyOf(customer)]).toEqual([1, 19_010n])
    }
  })

  it('case 76: a program whose clock was set back does not repeat a charge', async () => {
    const customer = await customerWith(20_000n)
    await runAt(EXPIRY_MS - HOUR_MS)
    for (const backMs of [DAY_MS, 10 * DAY_MS, 365 * DAY_MS]) await runAt(EXPIRY_MS - HOUR_MS - backMs)
    await runAt(EXPIRY_MS - HOUR_MS)
    expect([await renewalsOf(customer), await moneyOf(customer)]).toEqual([1, 19_010n])
  })
})

describe('case 77: five days without a run', () => {
  it('case 77: each server is charged once, as far as the balance goes; the other owners are notified and their servers kept', async () => {
    const userId = await userWith(database.db, 12n * 990n)
    const servers: string[] = []
    for (let count = 0; count < 12; count += 1) {
      servers.push((await paidServer(database.db, { shop, userId, nowMs: START_MS })).serverId)
    }
    await database.owner.query('update control.servers set auto_renew = true where id = any ($1)', [servers])
    await credit(database.db, { userId, amountFt: 5n * 990n + 100n })
    const lateMs = EXPIRY_MS + 5 * DAY_MS
    const states = async () =>
      (
        await database.owner.query<{ charges: bigint; desired: string; power: string }>(
          `select (select count(*) from control.renewals r where r.server_id = s.id) as charges, s.desired,
             s.desired_power as power from control.servers s where s.id = any ($1) order by 1, 2, 3`,
          [servers],
        )
      ).map(({ charges, desired, power }) => `${charges} ${desired} ${power}`)
    const five = [
      ...Array.from({ length: 7 }, () => '0 installed stopped'),
      ...Array.from({ length: 5 }, () => '1 installed running'),
    ]
    for (const lateByMs of [0, MINUTE_MS, DAY_MS, 2 * DAY_MS]) {
      await Promise.all([runAt(lateMs + lateByMs), runAt(lateMs + lateByMs)])
      expect(await states()).toEqual(five)
      expect(await balanceOf(database.db, userId)).toEqual({ money: 100n, held: 0n, available: 100n })
    }
    // A customer who pays within the 72 h after being told loses nothing.
    await credit(database.db, { userId, amountFt: 890n })
    await runAt(lateMs + 3 * DAY_MS - 1)
    expect((await states()).filter((state) => state === '1 installed running')).toHaveLength(6)
    await runAt(lateMs + 3 * DAY_MS + HOUR_MS)
    expect((await states()).filter((state) => state.startsWith('0 deleted'))).toHaveLength(6)
  })
})
