import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import type { Database } from '#platform/postgres/database.ts'
import { RENEWAL_FAULTS } from '../../../control-plane/money/renewals/write-renewal.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer, type RenewCommand } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { killedAtEveryStatement } from '../../factories/killed-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { crashed, crashesAt, killedAt } from '../../support/crashes.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Work } from '../orders/order-process.ts'

const SCRIPT = new URL('../orders/order-process.ts', import.meta.url)
const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS
/** Expired, and kept: the renewal has most to do. */
const NOW_MS = EXPIRY_MS + DAY_MS

/** As the page sends it: with the expiry that was seen, so that whoever comes second pays for no second period. */
const WISH = { months: 2, expiry: new Date(EXPIRY_MS).toISOString() }

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
})
afterAll(() => database.close())

async function expiredCustomer(): Promise<{ userId: string; serverId: string; command: RenewCommand }> {
  const userId = await userWith(database.db, 3960n)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  await database.owner.query(
    `update control.servers set desired_power = 'stopped', stopped_by_expiry = true where id = $1`,
    [serverId],
  )
  return { userId, serverId, command: renewCommand({ userId, serverId }, { request: WISH }) }
}

/** Everything that a renewal writes, counted; half a renewal shows as a row that differs from the others. */
async function facts({ userId, serverId }: { userId: string; serverId: string }) {
  const [row] = await database.owner.query<Record<string, bigint | number | string | Date>>(
    `select (select count(*)::int from control.renewals where server_id = $2) as renewals,
       (select count(*)::int / 2 from control.paid_spans where server_id = $2 and renewal_id is not null) as spans,
       (select count(*)::int from control.wallet_transactions where user_id = $1 and type = 'renewal') as lines,
       (select count(*)::int from control.ledger_transactions where kind = 'renewal' and ref_id in
         (select id::text from control.renewals where server_id = $2)) as charges,
       (select count(*)::int from control.ledger_holds where owner_id = $1 and ref_type = 'renewal') as holds,
       (select count(*)::int from control.notifications where user_id = $1 and text = 'purchase.success') - 1 as notices,
       (select count(*)::int from control.activities where user_id = $1 and type = 'server.renewed') as activities,
       s.generation - 1 as generations,
       case when s.desired_power = 'running' then 1 else 0 end as runs,
       (extract(epoch from s.expires_at - $3) / 86400 / 60)::int as periods
     from control.servers s where s.id = $2`,
    [userId, serverId, new Date(EXPIRY_MS)],
  )
  const { money, held } = await balanceOf(database.db, userId)
  return { ...row, held, paid: Number(2970n - money) / 1980 }
}

const allOf = (count: 0 | 1) => ({
  renewals: count,
  spans: count,
  lines: count,
  charges: count,
  holds: count,
  notices: count,
  activities: count,
  generations: count,
  runs: count,
  periods: count,
  paid: count,
  held: 0n,
})
const violations = () => database.owner.query('select * from control.ledger_violations')

const ONCE = {
  run: (command: RenewCommand, faults?: FaultPoint) =>
    renewServer(orderContext(database.db, { now: () => NOW_MS, ...(faults ? { faults } : {}) }), command),
  second: (command: RenewCommand) => ({ ...command, idempotencyKey: systemIds.next() }),
  killed: (fault: string, command: RenewCommand) => {
    const work: Work = { do: 'renew', command, nowMs: NOW_MS }
    return killedAt(SCRIPT, { databaseUrl: database.url, work, fault })
  },
  committed: 'renewal.committed',
}

describe('I9: a renewal that is killed, thrown or delayed at each of its fault points', () => {
  it.each(sliceOf(crashesAt(RENEWAL_FAULTS), 4))('%s: %s', async (fault, crash) => {
    const customer = await expiredCustomer()
    await crashed(ONCE, [fault, crash], customer.command)
    const isDone = crash === 'delay' || fault === 'renewal.committed'
    // With another key somebody else may have been first: one renewal all the same.
    expect(await facts(customer)).toEqual(allOf(isDone ? 1 : 0))
    await waitFor('the key of the killed process', async () => {
      const result = await ONCE.run(customer.command)
      return result.ok || result.code === 'EXPIRY_CHANGED' ? result : undefined
    })
    expect(await facts(customer)).toEqual(allOf(1))
    expect(await violations()).toEqual([])
  })

  it('a lost connection at any statement writes all of a renewal or nothing', async () => {
    let customer: Awaited<ReturnType<typeof expiredCustomer>>
    const renew = (db: Database) => renewServer(orderContext(db, { now: () => NOW_MS }), customer.command)
    const statements = await killedAtEveryStatement(database, {
      attempt: async (db) => {
        customer = await expiredCustomer()
        return renew(db)
      },
      check: async (at) => {
        expect([at, await facts(customer)]).toEqual([at, allOf(at === Infinity ? 1 : 0)])
        await renew(database.db)
        expect(await facts(customer)).toEqual(allOf(1))
      },
    })
    expect(statements).toBeGreaterThan(15)
  })
})
