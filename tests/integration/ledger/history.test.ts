import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { systemIds } from '#platform/ids.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'

let database: ControlDatabase
const user = systemIds.next()
beforeAll(async () => {
  database = await controlDatabase()
  const ledger = openLedger(postgresLedgerStore(database.db))
  for (const amount of [5000n, 700n, 1n]) await ledger.post(moves.payIn(user, amount))
  for (const amount of [990n, 10n]) await ledger.post(moves.spend(user, amount))
  const key = systemIds.next()
  const placed = await ledger.placeHold(moves.hold(user, 1500n, key))
  await ledger.capture(moves.capture({ userId: user, holdId: placed.ok ? placed.id : '', key }, 1500n))
})
afterAll(() => database.close())

type Line = {
  seq: bigint
  amount_minor: bigint
  balance_after: bigint
  reason: string
  ref_type: string
  ref_id: string
}

const history = () =>
  database.owner.query<Line>(
    `select e.seq, e.amount_minor, e.balance_after, t.reason, t.ref_type, t.ref_id from control.ledger_entries e
     join control.ledger_transactions t on t.id = e.tx_id join control.ledger_accounts a on a.id = e.account_id
     where a.owner_id = $1 and a.kind = 'user_wallet' order by e.seq`,
    [user],
  )

describe('the ledger history of an account', () => {
  it('I2, I11: the history yields every past balance, without a gap', async () => {
    const lines = await history()
    expect(lines.map((line) => line.seq)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
    let balance = 0n
    for (const line of lines) {
      balance += line.amount_minor
      expect(line.balance_after).toBe(balance)
    }
    expect(balance).toBe(3201n)
  })

  it('I15: every movement has a sentence and a document', async () => {
    for (const line of await history()) {
      expect(line.reason).toMatch(/\w{4,}/)
      expect(['payment', 'order', 'correction']).toContain(line.ref_type)
      expect(line.ref_id).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('I1: entries add up to zero in each transaction and over all accounts', async () => {
    const sums = await database.owner.query(
      'select tx_id from control.ledger_entries group by tx_id, currency having sum(amount_minor) <> 0',
    )
    expect(sums).toEqual([])
    const [all] = await database.owner.query('select sum(balance_minor) as total from control.ledger_accounts')
    expect(all).toEqual({ total: '0' })
  })
})
