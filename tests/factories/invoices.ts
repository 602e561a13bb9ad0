import { draftInvoice } from '#domain/billing/invoice.ts'
import { forints } from '#domain/billing/money.ts'
import { taxRuleFor } from '#domain/billing/tax-rule.ts'
import type { InvoiceRequest } from '../../control-plane/money/invoices/issue-invoice.ts'
import { writeInvoice } from '../../control-plane/money/invoices/write-invoice.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database, Sql } from '#platform/postgres/database.ts'

/** Noon of a summer day. */
export const INVOICE_DAY_MS = Date.UTC(2026, 5, 1, 12)

export type BilledPerson = {
  invoiceType?: 'electronic' | 'receipt'
  language?: string
  country?: string
  city?: string
  verified?: boolean
}

/** A person with complete billing data. */
export async function billedPerson(owner: Sql, person: BilledPerson = {}): Promise<string> {
  const { invoiceType = 'electronic', language = 'hu', country = 'HU', city = 'Gyöngyös', verified = true } = person
  const id = systemIds.next()
  await owner.query(
    `insert into cms_api.people (id, username, identifier, email, verified, language, invoice_type, is_admin, is_support)
     values ($1, $2, $3, $4, $5, $6, $7, false, false)`,
    [id, `u${id.slice(-8)}`, 'acdefghj', `${id}@example.test`, verified, language, invoiceType],
  )
  await owner.query(
    `insert into cms_api.invoice_contacts (id, invoice_type, first_name, last_name, street_and_house_number, postal_code, city,
       country, company, tax_number) values ($1, $2, 'Sára', 'Őrült', 'Fő út 3.', '3200', $3, $4, '', '')`,
    [id, invoiceType, city, country],
  )
  return id
}

/** The invoice of an order of one line. */
export const invoiceRequest = (
  userId: string,
  changes: Partial<Omit<InvoiceRequest, 'userId'>> & { grossFt?: number } = {},
): InvoiceRequest => {
  const { grossFt = 990, ...rest } = changes
  const text = { en: 'Minecraft, 1 month', hu: 'Minecraft, 1 hónap', de: 'Minecraft, 1 Monat' }
  return {
    userId,
    document: { kind: 'order', id: systemIds.next() },
    paymentMethod: 'balance',
    locale: 'hu',
    lines: [{ text, quantity: 1, grossFt }],
    performedAtMs: INVOICE_DAY_MS,
    requestId: 'request-1',
    ...rest,
  }
}

/** Creates a receipt that names its customer nevertheless. */
export async function namedReceipt(db: Database, { userId, name }: { userId: string; name: string }, nowMs: number) {
  const tax = taxRuleFor({ country: 'HU' }, nowMs)
  if (!tax.ok) throw new Error(tax.code)
  const customer = {
    name,
    company: name,
    taxNumber: '',
    country: 'HU',
    postalCode: '',
    city: name,
    streetAndHouseNumber: '',
    email: name,
  }
  const drafted = draftInvoice({
    form: 'receipt',
    customer,
    currency: 'HUF',
    tax,
    language: 'hu',
    issuedAtMs: nowMs,
    performedAtMs: nowMs,
    lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, gross: forints(990n) }],
    cause: { type: 'order', id: systemIds.next() },
  })
  if (!drafted.ok) throw new Error(drafted.code)
  const seller = {
    name: 'Bakter Kft.',
    postalCode: '1111',
    city: 'Budapest',
    street: 'Őr utca 1.',
    country: 'HU',
    taxNumber: '12345678-2-43',
    euTaxNumber: '',
    registryNumber: '',
    bankAccount: '',
    email: '',
  }
  const context = { ids: systemIds, clock: { now: () => nowMs } }
  return db.transaction((tx) =>
    writeInvoice(tx, context, {
      invoice: drafted.invoice,
      seller,
      userId,
      series: 'NY',
      taxPoint: 'at_spend',
      paymentMethod: 'balance',
      stornoOf: null,
      requestId: 'r',
      isHandedOver: false,
    }),
  )
}
