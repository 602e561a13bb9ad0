import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  readAccounts,
  readAudit,
  readDays,
  readDebts,
  readEntries,
} from '../../../control-plane/money/ledger/read-ledger.ts'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { readAllStatements, writeStatementLine } from '../../../control-plane/money/wallet/statement.ts'
import { forints } from '#domain/billing/money.ts'
import { systemIds } from '#platform/ids.ts'
import { chargebackClaimed, debtPaid } from '../../../control-plane/money/ledger/payment-postings.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'

let database: ControlDatabase
const user = systemIds.next()
beforeAll(async () => {
  database = await controlDatabase()
  const ledger = openLedger(postgresLedgerStore(database.db))
  for (let i = 0; i < 25; i += 1) await ledger.post(moves.payIn(user, 1_000n))
  await ledger.post(moves.payIn(systemIds.next(), 500n))
})
afterAll(() => database.close())

/** All pages of a list, of `limit` rows each. */
async function pages<Item>(read: (before: string | undefined) => Promise<{ items: Item[]; next: string | null }>) {
  const found: Item[] = []
  for (let before: string | undefined; ;) {
    const { items, next } = await read(before)
    found.push(...items)
    if (next === null) return found
    before = next
  }
}

it('entries of one account are paged by their numbers, with the running balance', async () => {
  const { items: accounts } = await readAccounts(database.db, { userId: user, kind: 'user_wallet' })
  expect(accounts).toMatchObject([{ ownerId: user, balanceFt: 25_000, entries: 25 }])
  const accountId = accounts[0]?.id ?? ''
  const entries = await pages((before) => readEntries(database.db, { accountId, limit: 7, before }))
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i))
  expect(entries.map(({ balanceFt }) => balanceFt)).toEqual(entries.map(({ seq }) => seq * 1_000))
})

it('entries of all accounts are paged without duplicates, and found by their document', async () => {
  const all = await pages((before) => readEntries(database.db, { limit: 9, before }))
  expect(all).toHaveLength(52)
  expect(new Set(all.map(({ accountId, seq }) => `${accountId} ${seq}`)).size).toBe(52)
  const reference = all[0]?.refId ?? ''
  const found = await readEntries(database.db, { reference })
  expect(found.items.every(({ refId }) => refId === reference)).toBe(true)
  expect(found.items.reduce((sum, { amountFt }) => sum + amountFt, 0)).toBe(0)
})

it('a cursor of the other kind restarts the list instead of failing', async () => {
  expect((await readEntries(database.db, { before: '7' })).items).not.toEqual([])
  const { items } = await readAccounts(database.db, { userId: user })
  const before = `${systemIds.next()}/${systemIds.next()}`
  expect((await readEntries(database.db, { accountId: items[0]?.id, before })).items).not.toEqual([])
})

it('accounts are paged without duplicates', async () => {
  const accounts = await pages((before) => readAccounts(database.db, { limit: 1, before }))
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length)
  expect(accounts.map(({ ownerId }) => ownerId === null)[0]).toBe(true)
})

it('daily totals add up to zero, in the house’s time zone', async () => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Budapest' })
  const [newest] = (await readEntries(database.db, { limit: 1 })).items
  const on = day.format(new Date(newest?.createdAt ?? 0))
  const days = await readDays(database.db, { from: on, to: on })
  expect(days.reduce((sum, { inFt, outFt }) => sum + inFt + outFt, 0)).toBe(0)
  expect(days.find(({ kind }) => kind === 'user_wallet')).toMatchObject({
    day: on,
    inFt: 25_500,
    outFt: 0,
    entries: 26,
  })
  expect((await readEntries(database.db, { day: on, limit: 100 })).items).toHaveLength(52)
  expect((await readEntries(database.db, { day: '2001-01-01' })).items).toEqual([])
})

it('the audit reports correct books, and the debt list is empty', async () => {
  expect(await readAudit(database.db)).toEqual({ checkedAt: null, broken: [] })
  expect(await readDebts(database.db)).toEqual([])
})

it('the debt list shows when a debt last grew, not when it was last paid', async () => {
  const [customer, other, settled] = [systemIds.next(), systemIds.next(), systemIds.next()]
  const ledger = openLedger(postgresLedgerStore(database.db))
  const at = (day: number) => ({
    id: systemIds.next(),
    atMs: Date.UTC(2026, 5, day),
    actor: 'system',
    requestId: 'test',
  })
  const takenBack = (day: number, userId: string, amountFt: bigint) =>
    ledger.post(
      chargebackClaimed(
        at(day),
        { documentId: systemIds.next(), sourceId: '', provider: 'sandbox', userId, amount: forints(amountFt) },
        forints(0n),
      ),
    )
  const paid = async (day: number, userId: string, amountFt: bigint) => {
    const documentId = systemIds.next()
    await ledger.post(moves.payIn(userId, amountFt + 70n, documentId))
    await ledger.post(debtPaid(at(day), { documentId, userId, amount: forints(amountFt) }))
  }
  await takenBack(1, customer, 1_000n)
  await takenBack(3, customer, 500n)
  await paid(7, customer, 400n)
  await takenBack(2, other, 2_000n)
  await takenBack(2, settled, 300n)
  await paid(4, settled, 300n)
  expect(await readDebts(database.db)).toEqual([
    { userId: other, debtFt: 2_000, moneyFt: 0, since: new Date(Date.UTC(2026, 5, 2)).toISOString() },
    { userId: customer, debtFt: 1_100, moneyFt: 70, since: new Date(Date.UTC(2026, 5, 3)).toISOString() },
  ])
})

it('staff filter all statement lines', async () => {
  const other = systemIds.next()
  const at = { ids: systemIds, clock: { now: () => Date.UTC(2026, 5, 1, 22, 30) } }
  const line = { status: 'finished', reason: 'A line of the test' } as const
  for (const [userId, type, provider] of [
    [user, 'top-up', 'barion'],
    [user, 'correction', 'staff'],
    [other, 'top-up', 'sandbox'],
  ] as const) {
    const document = { kind: 'correction', id: systemIds.next() } as const
    await writeStatementLine(database.db, at, {
      ...line,
      userId,
      type,
      paymentType: provider,
      amountFt: 100n,
      document,
    })
  }
  const count = async (filter: object) => (await readAllStatements(database.db, filter)).items.length
  expect(await count({})).toBe(3)
  expect(await count({ userId: user })).toBe(2)
  expect(await count({ type: 'top-up' })).toBe(2)
  expect(await count({ provider: 'sandbox' })).toBe(1)
  expect(await count({ status: 'failed' })).toBe(0)
  // Half past ten in the evening of UTC is the next day in Budapest.
  expect(await count({ from: '2026-06-02', to: '2026-06-02' })).toBe(3)
  expect(await count({ to: '2026-06-01' })).toBe(0)
  const all = await pages((before) => readAllStatements(database.db, { limit: 1, before }))
  expect(all).toHaveLength(3)
})
