import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#contracts/locale.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import { issueInvoice } from '../../../control-plane/money/invoices/issue-invoice.ts'
import { readInvoice, readInvoices } from '../../../control-plane/money/invoices/read-invoices.ts'
import { readStaffInvoices } from '../../../control-plane/money/invoices/read-staff-invoices.ts'
import { stornoInvoice } from '../../../control-plane/money/invoices/storno-invoice.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson, INVOICE_DAY_MS, invoiceRequest } from '../../factories/invoices.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(4)
  await database.owner.query(`update cms_api.invoicing set seller_name = 'Bakter Kft.', tax_point = 'at_spend'`)
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => INVOICE_DAY_MS })

test('a list names what was sold in the language of its reader, and each document in its own', async () => {
  const { db } = database
  const userId = await billedPerson(database.owner, { language: 'hu' })
  const [corrected, cancelled] = [invoiceRequest(userId), invoiceRequest(userId)]
  const reason = { en: 'Refund', hu: 'Visszatérítés', de: 'Erstattung' }
  const { document } = corrected
  const correction = { document, cause: 'refund:1', grossFt: 100n, reason, requestId: 'r' }
  const storno = { document: cancelled.document, reason: 'Refund', requestId: 'r' }
  await db.transaction((tx) => issueInvoice(tx, context(), corrected))
  await db.transaction((tx) => correctInvoice(tx, context(), correction))
  await db.transaction((tx) => issueInvoice(tx, context(), cancelled))
  await db.transaction((tx) => stornoInvoice(tx, context(), storno))
  const listedIn = async (locale: Locale) =>
    (await readInvoices(db, { userId, locale })).items.map(({ kind, what }) => [kind, what])
  const inAll = (what: string) => [
    ['storno', what],
    ['invoice', what],
    ['correction', what],
    ['invoice', what],
  ]
  expect(await listedIn('en')).toEqual(inAll('Minecraft, 1 month'))
  expect(await listedIn('de')).toEqual(inAll('Minecraft, 1 Monat'))
  const forStaff = await readStaffInvoices(db, { userId, locale: 'en' })
  expect(forStaff.items.map(({ what, takenBackBy }) => [what, ...takenBackBy.map((back) => back.what)])).toEqual([
    ['Minecraft, 1 month', 'Minecraft, 1 month'],
    ['Minecraft, 1 month', 'Minecraft, 1 month'],
  ])
  for (const { id } of (await readInvoices(db, { userId, locale: 'en' })).items) {
    const description = (await readInvoice(db, id))?.lines.map((line) => line.description)
    expect(description).toEqual(['Minecraft, 1 hónap'])
  }
})
