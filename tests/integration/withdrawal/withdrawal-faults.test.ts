import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { beginWithdrawal } from '../../../control-plane/money/withdrawal/begin-withdrawal.ts'
import { confirmWithdrawal } from '../../../control-plane/money/withdrawal/confirm-withdrawal.ts'
import {
  WITHDRAWAL_FAULTS,
  type ConfirmWithdrawal,
} from '../../../control-plane/money/withdrawal/withdrawal-context.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { killedAtEveryStatement } from '../../factories/killed-database.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { confirmCommand, withdrawalContext } from '../../factories/withdrawals.ts'
import { crashed, crashesAt, killedAt } from '../../support/crashes.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Work } from '../orders/order-process.ts'

const SCRIPT = new URL('../orders/order-process.ts', import.meta.url)
const START_MS = Date.UTC(2026, 5, 1)
const NOW_MS = START_MS + 3 * DAY_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
})
afterAll(() => database.close())

const contextOf = (db: Database, faults?: FaultPoint) =>
  withdrawalContext(db, { nowMs: NOW_MS, ...(faults ? { faults } : {}) })

async function leaving(): Promise<{ userId: string; serverId: string; command: ConfirmWithdrawal }> {
  const userId = await userWith(database.db, 990n)
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'hu', true, 'electronic', false, false)`,
    [userId, `u-${userId}`, `${userId}@example.test`],
  )
  const { serverId, orderId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  const subject = { kind: 'order', documentId: orderId } as const
  await beginWithdrawal(contextOf(database.db), { caller: callerOf(userId), subject, requestId: 'w' })
  return { userId, serverId, command: confirmCommand(userId, subject) }
}
type Customer = Awaited<ReturnType<typeof leaving>>

/** Everything that a withdrawal writes, counted; half a withdrawal shows as a row that differs from the others. */
async function facts({ userId, serverId }: Customer) {
  const [row] = await database.owner.query<Record<string, number>>(
    `select (select count(*)::int from control.withdrawals where user_id = $1 and confirmed_at is not null) as withdrawals,
       (select count(*)::int from control.ledger_transactions where kind = 'withdrawal' and actor = 'user:' || $1::text) as postings,
       (select count(*)::int from control.wallet_transactions where user_id = $1 and type = 'refund') as lines,
       (select count(*)::int from control.paid_spans where server_id = $2 and returned_ft = 891) as spans,
       (select count(*)::int from control.notifications where user_id = $1 and text = 'withdrawal.confirmed') as notices,
       (select count(*)::int from control.activities where user_id = $1 and type = 'withdrawal.confirmed') as activities,
       (select count(*)::int from control.mails where kind = 'withdrawal' and recipient = $1::text || '@example.test') as mails,
       (select count(*)::int from control.lifetime_notices where server_id = $2 and kind = 'expired') as expiries,
       s.generation - 1 as generations,
       case when s.desired_power = 'stopped' then 1 else 0 end as stopped,
       case when s.expires_at = $3 then 1 else 0 end as ended
     from control.servers s where s.id = $2`,
    [userId, serverId, new Date(NOW_MS)],
  )
  const { money, held } = await balanceOf(database.db, userId)
  return { ...row, held, back: Number(money) / 891 }
}

const allOf = (count: 0 | 1) => ({
  withdrawals: count,
  postings: count,
  lines: count,
  spans: count,
  notices: count,
  activities: count,
  mails: count,
  expiries: count,
  generations: count,
  stopped: count,
  ended: count,
  back: count,
  held: 0n,
})
const violations = () => database.owner.query('select * from control.ledger_violations')

const ONCE = {
  run: (command: ConfirmWithdrawal, faults?: FaultPoint) => confirmWithdrawal(contextOf(database.db, faults), command),
  second: (command: ConfirmWithdrawal) => ({ ...command, idempotencyKey: systemIds.next() }),
  killed: (fault: string, command: ConfirmWithdrawal) => {
    const work: Work = { do: 'withdraw', command, nowMs: NOW_MS }
    return killedAt(SCRIPT, { databaseUrl: database.url, work, fault })
  },
  committed: 'withdrawal.committed',
}

describe('I9: a withdrawal that is killed, thrown or delayed at each of its fault points', () => {
  it.each(sliceOf(crashesAt(WITHDRAWAL_FAULTS), 4))('%s: %s', async (fault, crash) => {
    const customer = await leaving()
    await crashed(ONCE, [fault, crash], customer.command)
    const isDone = crash === 'delay' || fault === 'withdrawal.committed'
    expect(await facts(customer)).toEqual(allOf(isDone ? 1 : 0))
    await waitFor('the key of the killed process', async () => {
      const result = await ONCE.run(customer.command)
      return result.ok || result.code === 'ALREADY_WITHDRAWN' ? result : undefined
    })
    expect(await facts(customer)).toEqual(allOf(1))
    expect(await violations()).toEqual([])
  })

  it('a lost connection at any statement writes all of a withdrawal or nothing', async () => {
    let customer: Awaited<ReturnType<typeof leaving>>
    const statements = await killedAtEveryStatement(database, {
      attempt: async (db) => {
        customer = await leaving()
        return confirmWithdrawal(contextOf(db), customer.command)
      },
      check: async (at) => {
        expect([at, await facts(customer)]).toEqual([at, allOf(at === Infinity ? 1 : 0)])
        await ONCE.run(customer.command)
        expect(await facts(customer)).toEqual(allOf(1))
      },
    })
    expect(statements).toBeGreaterThan(15)
  })
})
