import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryLedgerStore } from '../../support/memory-ledger-store.ts'
import { openLedger, type Ledger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { systemIds } from '#platform/ids.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { AT, moves } from '../../factories/ledger-moves.ts'

/** `npm run test:full` sets 100,000; every run takes others. */
const OPERATIONS = Number(process.env['LEDGER_OPERATIONS'] ?? 10_000)
const PER_RUN = 250

let database: ControlDatabase
beforeAll(async () => {
  database = await controlDatabase()
})
afterAll(() => database.close())

type Kind = 'payIn' | 'grant' | 'spend' | 'hold' | 'capture' | 'release' | 'expire' | 'repeat'
type Operation = { kind: Kind; user: number; amount: bigint; pick: number }

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom<Kind>(
    'payIn',
    'payIn',
    'grant',
    'spend',
    'hold',
    'hold',
    'capture',
    'release',
    'expire',
    'repeat',
  ),
  user: fc.nat(3),
  amount: fc.bigInt({ min: 1n, max: 1500n }),
  pick: fc.nat(1000),
})

type Held = { userId: string; holdId: string; key: string }
type Call = (ledger: Ledger) => Promise<unknown>

/** Chooses the calls of a run: the same one goes to both ledgers. Holds and calls so far are what later ones refer to. */
function callOf(run: { users: string[]; held: Held[]; calls: Call[] }, { kind, user, amount, pick }: Operation): Call {
  const userId = run.users[user] ?? ''
  const hold = run.held[pick % Math.max(1, run.held.length)]
  switch (kind) {
    case 'payIn':
    case 'grant':
    case 'spend': {
      const move = moves[kind](userId, amount)
      return (ledger) => ledger.post(move)
    }
    case 'hold': {
      const key = systemIds.next()
      const move = moves.hold(userId, amount, key)
      run.held.push({ userId, holdId: move.id, key })
      return async (ledger) => {
        const placed = await ledger.placeHold(move)
        if (!placed.ok) run.held = run.held.filter((other) => other.holdId !== move.id)
        return placed
      }
    }
    case 'capture': {
      if (!hold) return async () => 'no hold'
      const part = 1n + (amount % 3n)
      return async (ledger) => {
        const found = await ledger.hold(hold.holdId)
        if (!found) return 'no hold'
        const most = found.amount.minor
        return ledger.capture(moves.capture(hold, most / part > 0n ? most / part : most))
      }
    }
    case 'release':
      return async (ledger) =>
        hold && (await ledger.hold(hold.holdId))
          ? ledger.release({ holdId: hold.holdId, state: 'released', atMs: AT })
          : 'no hold'
    case 'expire': {
      const atMs = AT + (pick % 2) * 60_000
      return async (ledger) =>
        hold && (await ledger.hold(hold.holdId))
          ? ledger.release({ holdId: hold.holdId, state: 'expired', atMs })
          : 'no hold'
    }
    case 'repeat':
      return run.calls[pick % Math.max(1, run.calls.length)] ?? (async () => 'nothing yet')
  }
}

/** The part of an answer that a caller sees. Ids of captures differ, because each ledger's call makes a new one. */
const seen = (answer: unknown): string =>
  JSON.stringify(answer, (key, value: unknown) =>
    key === 'id' ? undefined : typeof value === 'bigint' ? `${value}` : value,
  )

async function compare(pair: { model: Ledger; real: Ledger }, users: readonly string[]): Promise<void> {
  for (const user of users) {
    expect(await pair.real.userBalance(user, 'HUF')).toEqual(await pair.model.userBalance(user, 'HUF'))
  }
}

describe('I13: PostgreSQL and the model', () => {
  it('PostgreSQL and the model agree on results and balances', { timeout: 20 * 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: PER_RUN, maxLength: PER_RUN }), async (operations) => {
        const pair = { model: openLedger(memoryLedgerStore()), real: openLedger(postgresLedgerStore(database.db)) }
        const run = {
          users: Array.from({ length: 4 }, () => systemIds.next()),
          held: [] as Held[],
          calls: [] as Call[],
        }
        for (const step of operations) {
          const call = callOf(run, step)
          expect(seen(await call(pair.real))).toBe(seen(await call(pair.model)))
          if (step.kind !== 'repeat') run.calls.push(call)
        }
        await compare(pair, run.users)
      }),
      { numRuns: Math.max(1, Math.ceil(OPERATIONS / PER_RUN)), endOnFailure: true },
    )
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
    const [count] = await database.owner.query<{ n: bigint }>('select count(*) as n from control.ledger_entries')
    expect(Number(count?.n)).toBeGreaterThan(OPERATIONS / 10)
  })
})
