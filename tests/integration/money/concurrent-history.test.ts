import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { expireHolds } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { topUpCommand } from '../../factories/till.ts'
import { explain, type Attempt, type Ledger } from '../../support/money-history.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { programArguments } from '../../support/test-program.ts'
import { tillOn, type ClientWork, type Customer, type Line } from './client-process.ts'

const SCRIPT = new URL('./client-process.ts', import.meta.url)
const START_MS = Date.UTC(2026, 5, 1)
const HOUR = 3_600_000
const PROCESSES = 4
const WISHES = 30
/** So many processes die in the middle of their wishes; who ends before that makes place for another. */
const KILLS = 6

let database: ControlDatabase
let shop: Shop
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'history-'))
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 5000, memoryMiB: 100_000_000 })
  await setWheel(database.owner, [prize('nothing')])
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** With a server, and a payment that staff may send back. Events before the clients are in nobody's history. */
async function newCustomer(): Promise<Customer> {
  const userId = systemIds.next()
  const context = tillOn(database.db, database.db)
  const command = { ...topUpCommand(userId, { method: 'stripe', amount: 30_000 }), requestId: `before-${userId}` }
  await startTopUp(context, command)
  const [row] = await database.db.query<{ id: string }>('select id from control.payments where user_id = $1', [userId])
  await checkPayment(context, row?.id ?? '')
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  return { userId, serverId, paymentId: row?.id ?? '' }
}

const attemptsIn = (file: string): Attempt[] => {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
  const attempts = new Map<string, Attempt>()
  for (const { op, attempt, user, kind, at, amount, answer } of lines) {
    const amountFt = BigInt(amount)
    if (answer === undefined) attempts.set(attempt, { op, user, kind, begin: BigInt(at), amountFt })
    const began = attempts.get(attempt)
    if (answer === undefined || !began) continue
    attempts.set(attempt, { ...began, end: BigInt(at), amountFt, answer: answer as NonNullable<Attempt['answer']> })
  }
  // One without an answer stays so for ever.
  return [...attempts.values()]
}

async function readLedger(customers: readonly Customer[]): Promise<Ledger> {
  const ids = customers.map(({ userId }) => userId)
  const wallets = await database.owner.query<
    Record<'user' | 'op' | 'kind', string> & { seq: bigint; amount: bigint; after: bigint }
  >(
    `select a.owner_id as user, t.request_id as op, t.kind, e.seq, e.amount_minor as amount, e.balance_after as after
     from control.ledger_entries e join control.ledger_accounts a on a.id = e.account_id
     join control.ledger_transactions t on t.id = e.tx_id where a.owner_id = any($1) and a.kind = 'user_wallet'`,
    [ids],
  )
  const transactions = await database.owner.query<{ op: string; kind: string }>(
    'select request_id as op, kind from control.ledger_transactions',
  )
  return {
    transactions,
    wallets: wallets.map(({ user, op, kind, seq, amount, after }) => ({
      user,
      op,
      kind,
      seq: Number(seq),
      amountFt: amount,
      balanceFt: after,
    })),
  }
}

/** Ends a statement that is on its way, in whichever transaction it is. */
const endBackend = () =>
  database.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'client' and state <> 'idle' order by random() limit 1`,
  )

describe('I9: 16 concurrent clients with kills', () => {
  it(
    'the history is consistent: acknowledged requests are done once, refused ones not at all, unknown ones at most once',
    { timeout: 600_000 },
    async () => {
      const customers = await Promise.all(Array.from({ length: 4 }, newCustomer))
      const before = await readLedger(customers)
      const logs: string[] = []
      const args = await programArguments(SCRIPT)
      const begin = (last: string | null) => {
        const log = join(folder, `${logs.length}.log`)
        logs.push(log)
        const { serviceId, packageId } = shop
        const work: ClientWork = { log, before: last, customers, shop: { serviceId, packageId }, wishes: WISHES }
        const env = { DATABASE_URL: database.url, WORK: JSON.stringify(work) }
        const child = startOwnProcess({ command: process.execPath, args, env })
        return { log, child }
      }
      const living = Array.from({ length: PROCESSES }, () => begin(null))
      const finished: typeof living = []
      let [killed, cut] = [0, 0]
      for (let round = 0; killed < KILLS || living.some(({ child }) => child.isRunning()); round += 1) {
        await pause(250)
        cut += (await endBackend()).length
        const at = round % PROCESSES
        const one = living[at]
        if (one === undefined || killed >= KILLS) continue
        if (!one.child.isRunning()) {
          finished.push(one)
          living[at] = begin(null)
        }
        // A client that has written its first lines is in the middle of its wishes.
        if (round % 3 !== 0 || !one.child.isRunning() || !isBusy(one.log)) continue
        one.child.signal('SIGKILL')
        await one.child.ended
        living[at] = begin(one.log)
        killed += 1
      }
      const all = [...finished, ...living]
      const ends = await Promise.all(all.map(({ child }) => child.ended))
      expect(ends.map(({ code }, at) => [code, all[at]?.child.output()])).toEqual(ends.map(() => [0, '']))
      // Work that was left half done is finished by the runs that do that every minute, or given up.
      const later = { ...tillOn(database.db, database.db), clock: { now: () => START_MS + 3 * HOUR } }
      await reconcilePayments(later)
      await expireHolds(later)
      const attempts = logs.flatMap(attemptsIn)
      const known = new Set(before.transactions.map(({ op }) => op))
      expect(explain(attempts, await readLedger(customers), known)).toEqual([])
      expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
      const open = await database.owner.query(`select 1 from control.ledger_holds where state = 'open'`)
      expect(open).toEqual([])
      const counts = {
        killed,
        isCut: cut > 0,
        unknown: attempts.filter(({ answer }) => answer === undefined).length > 0,
      }
      expect(counts).toEqual({ killed: KILLS, isCut: true, unknown: true })
      for (const answer of ['ok', 'short', 'released']) {
        expect([answer, attempts.some((each) => each.answer === answer)]).toEqual([answer, true])
      }
    },
  )
})

const isBusy = (log: string): boolean => {
  try {
    return readFileSync(log, 'utf8').split('\n').length > 12
  } catch {
    return false
  }
}
