import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openLedger, type Ledger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { systemIds } from '#platform/ids.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { AT, moves } from '../../factories/ledger-moves.ts'
import { balanceOf } from '../../factories/shop.ts'

let database: ControlDatabase
let ledger: Ledger
beforeAll(async () => {
  database = await controlDatabase({ maxConnections: 60 })
  ledger = openLedger(postgresLedgerStore(database.db))
  // Connections that are still being opened would make the calls of the first test wait for one another.
  await parallel(60, () => database.db.query('select pg_sleep(0.5)'))
})
afterEach(async () => {
  // I1, I2 and I3 from a second connection.
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

async function userWith(amountFt: bigint): Promise<string> {
  const user = systemIds.next()
  await ledger.post(moves.payIn(user, amountFt))
  return user
}

const parallel = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

describe('the ledger under load', () => {
  it('case 56, I6, T21: exactly 10 of 200 parallel spends of 10 on 100 succeed', async () => {
    const user = await userWith(100n)
    const results = await parallel(200, () => ledger.post(moves.spend(user, 10n)))
    expect(results.filter((result) => result.ok)).toHaveLength(10)
    expect(results.filter((result) => !result.ok && result.code === 'INSUFFICIENT_BALANCE')).toHaveLength(190)
    expect(await balanceOf(database.db, user)).toEqual({ money: 0n, held: 0n, available: 0n })
  })

  it('I6: exactly 9 of 200 parallel holds of 10 on 95 succeed, bonus and money together', async () => {
    const user = await userWith(50n)
    await ledger.post(moves.grant(user, 45n))
    const results = await parallel(200, () => ledger.placeHold(moves.hold(user, 10n)))
    expect(results.filter((result) => result.ok)).toHaveLength(9)
    expect(await balanceOf(database.db, user)).toEqual({ money: 50n, held: 90n, available: 5n })
  })

  it('case 57, T20: of a concurrent renewal and checkout with money for one, exactly one succeeds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const user = await userWith(990n)
      const results = await Promise.all([
        ledger.post(moves.spend(user, 990n, `renew-${systemIds.next()}`)),
        ledger.placeHold(moves.hold(user, 990n)),
      ])
      expect(results.filter((result) => result.ok)).toHaveLength(1)
    }
  })

  it('case 58, I4: 50 parallel calls with one key post once and return the same result', async () => {
    const user = systemIds.next()
    const key = systemIds.next()
    const results = await parallel(50, () => ledger.post(moves.payIn(user, 5000n, key)))
    expect(results.every((result) => result.ok)).toBe(true)
    expect(new Set(results.map((result) => (result.ok ? result.id : '')))).toHaveLength(1)
    expect(results.filter((result) => result.ok && !result.replayed)).toHaveLength(1)
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 5000n })
  })

  it('case 58, I5: of parallel calls with one key and different payloads one is stored and the others are refused', async () => {
    const users = [systemIds.next(), systemIds.next()]
    const key = systemIds.next()
    const results = await parallel(40, (index) => ledger.post(moves.payIn(users[index % 2] ?? '', 5000n, key)))
    const stored = await Promise.all(users.map(async (user) => (await balanceOf(database.db, user)).money))
    expect(stored.toSorted()).toEqual([0n, 5000n])
    expect(results.filter((result) => !result.ok && result.code === 'IDEMPOTENCY_MISMATCH')).toHaveLength(20)
  })

  it('I7: concurrent capture, release and expiry resolve a hold once', async () => {
    for (let round = 0; round < 30; round += 1) {
      const user = await userWith(990n)
      const key = systemIds.next()
      const placed = await ledger.placeHold(moves.hold(user, 990n, key))
      const holdId = placed.ok ? placed.id : ''
      const results = await Promise.all([
        ledger.capture(moves.capture({ userId: user, holdId, key }, 990n)),
        ledger.release({ holdId, state: 'released', atMs: AT }),
        ledger.release({ holdId, state: 'expired', atMs: AT + 60_000 }),
      ])
      expect(results.filter((result) => result.ok)).toHaveLength(1)
      const { money, held } = await balanceOf(database.db, user)
      expect([money, held]).toEqual(results[0].ok ? [0n, 0n] : [990n, 0n])
    }
  })

  it('T22: no sequence of spends, holds, captures and releases creates money', async () => {
    const users = await parallel(4, () => userWith(1000n))
    await parallel(200, async (index) => {
      const user = users[index % 4] ?? ''
      const key = systemIds.next()
      if (index % 5 === 0) return void (await ledger.post(moves.spend(user, BigInt(index + 1))))
      const placed = await ledger.placeHold(moves.hold(user, BigInt(1 + (index % 90)), key))
      if (!placed.ok) return
      if (index % 3 === 0) await ledger.capture(moves.capture({ userId: user, holdId: placed.id, key }, 1n))
      else await ledger.release({ holdId: placed.id, state: 'released', atMs: AT })
    })
    for (const user of users) {
      const { money, held } = await balanceOf(database.db, user)
      expect(held).toBe(0n)
      expect(money <= 1000n).toBe(true)
    }
    const [sum] = await database.owner.query('select sum(amount_minor) as total from control.ledger_entries')
    expect(sum).toEqual({ total: '0' })
  })
})
