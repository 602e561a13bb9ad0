import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEPT_DAYS } from '#domain/users/retention.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import { issueInvoice } from '../../../control-plane/money/invoices/issue-invoice.ts'
import { stornoInvoice } from '../../../control-plane/money/invoices/storno-invoice.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson, invoiceRequest } from '../../factories/invoices.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'

const DAY_MS = 86_400_000
const KEPT_MS = KEPT_DAYS.invoices * DAY_MS

let database: ControlDatabase
let userId: string
beforeAll(async () => {
  database = await shopDatabase()
  userId = await billedPerson(database.owner)
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
async function issued(atMs: number): Promise<{ kind: 'order'; id: string; number: string }> {
  const request = invoiceRequest(userId, { performedAtMs: atMs })
  const done = await database.db.transaction((tx) => issueInvoice(tx, at(atMs), request))
  if (!done.ok) throw new Error(done.code)
  return { kind: 'order', id: request.document.id, number: done.number }
}
const corrected = (document: { kind: 'order'; id: string }, atMs: number) => {
  const reason = { en: 'Refund', hu: 'Visszatérítés', de: 'Erstattung' }
  return database.db.transaction((tx) =>
    correctInvoice(tx, at(atMs), { document, cause: 'refund:1', grossFt: 100n, reason, requestId: 'r' }),
  )
}
const numbers = async () =>
  (await database.owner.query<{ number: string }>('select number from control.invoices order by number')).map(
    ({ number }) => number,
  )
const gaps = () => database.owner.query('select * from control.invoice_gaps')

it('T70, T72: documents are removed eight years after their issue, with their stornos and corrections, and their numbers stay', async () => {
  const nowMs = Date.now()
  const old = nowMs - KEPT_MS - 60 * DAY_MS
  const [plain, cancelled, kept] = [await issued(old), await issued(old), await issued(old)]
  await database.db.transaction((tx) =>
    stornoInvoice(tx, at(old + DAY_MS), { document: cancelled, reason: 'Refund', requestId: 'r' }),
  )
  const late = await corrected(kept, nowMs - KEPT_MS + DAY_MS)
  const young = await issued(nowMs - KEPT_MS + 2 * DAY_MS)
  const standing = [kept.number, late?.number, young.number]
  await sweep(at(nowMs))
  expect(await numbers()).toEqual(standing)
  expect(await gaps()).toEqual([])
  const stones = await database.owner.query<{ number: string; kind: string }>(
    'select number, kind from control.invoice_tombstones order by number',
  )
  expect(stones.map(({ kind }) => kind)).toEqual(['invoice', 'invoice', 'storno'])
  expect(stones.map(({ number }) => number)).toContain(plain.number)
  // A clock that runs ahead removes nothing: the database has its own.
  await sweep(at(nowMs + 400 * DAY_MS))
  expect(await numbers()).toEqual(standing)
})

it('T72: a document cannot be removed earlier, and the number of a removed one cannot be deleted', async () => {
  const { number } = await issued(Date.now())
  const remove = 'delete from control.invoices where number = $1'
  await expect(database.owner.query(remove, [number])).rejects.toMatchObject({ code: 'BK001' })
  await expect(database.db.query(remove, [number])).rejects.toMatchObject({ code: '42501' })
  const stone = `insert into control.invoice_tombstones (series, year, sequence, number, kind, issued_on, removed_at)
    select series, year, sequence, number, kind, issued_at::date, now() from control.invoices where number = $1`
  await expect(database.owner.query(stone, [number])).rejects.toMatchObject({ code: 'BK001' })
  await expect(database.db.query(stone, [number])).rejects.toMatchObject({ code: '42501' })
  for (const change of [
    'delete from control.invoice_tombstones',
    'update control.invoice_tombstones set sequence = 9',
  ]) {
    await expect(database.owner.query(change)).rejects.toMatchObject({ code: 'BK001' })
  }
})
