import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import { sealLabel } from '../../../control-plane/messages/mail/accept-mail.ts'
import { openOwn } from '../../../control-plane/platform/own-seal.ts'
import { mailInvoice, mailInvoices } from '../../../control-plane/money/invoices/mail-invoice.ts'
import { stornoInvoice } from '../../../control-plane/money/invoices/storno-invoice.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { callMoney } from '../../factories/money-api.ts'
import { callerOf, openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'

const SECRET = 'a-secret-of-the-test'
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

const context = () => paymentContext(database.db)

async function toppedUp(userId: string): Promise<string> {
  const started = await startTopUp(context(), topUpCommand(userId, { amount: 5000 }))
  if (!started.ok) throw new Error(started.code)
  const id = started.answer.redirectUrl.split('/').at(-1) ?? ''
  await decideSandboxPayment(context(), { id, decision: 'succeed' })
  const [payment] = await database.owner.query<{ id: string }>(
    'select id from control.payments where provider_payment_id = $1',
    [id],
  )
  await checkPayment(context(), payment?.id ?? '')
  return payment?.id ?? ''
}

async function ordered(userId: string, outcome: 'installed' | 'failed' = 'installed'): Promise<string> {
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 2, name: 'Aréna' }
  const command = { caller: callerOf(userId), request, idempotencyKey: systemIds.next(), requestId: 'request-1' }
  const placed = await placeOrder(context(), command)
  if (!placed.ok) throw new Error(placed.code)
  const { serverId, orderId } = placed.answer
  await settleOrder(context(), { serverId, outcome, reason: 'test' })
  await settleOrder(context(), { serverId, outcome, reason: 'test' })
  return orderId
}

const call = async (name: InternalCallName, input: object) => (await callMoney(context(), name, { input })).json
const invoicesOf = async (userId: string, page: object = {}) =>
  INTERNAL_CALLS.invoices.output.parse(await call('invoices', { caller: callerOf(userId), ...page }))

const mailsTo = (userId: string) =>
  database.owner.query<{ id: string; kind: string; language: string }>(
    'select id, kind, language from control.mails where recipient = $1 order by created_at, id',
    [`${userId}@example.test`],
  )

describe('invoices of orders', () => {
  it('a delivered order is invoiced once, and the top-up that paid for it is not', async () => {
    const userId = await billedPerson(database.owner)
    await toppedUp(userId)
    expect((await invoicesOf(userId)).items).toEqual([])
    await ordered(userId)
    expect((await invoicesOf(userId)).items).toMatchObject([
      {
        kind: 'invoice',
        form: 'electronic',
        status: 'paid',
        totalFt: 1980,
        netFt: 1559,
        vatFt: 421,
        what: 'Minecraft, 2 hónap',
        stornoOf: null,
        stornoBy: null,
      },
    ])
  })

  it('a failed order is not invoiced', async () => {
    const userId = await billedPerson(database.owner)
    await toppedUp(userId)
    await ordered(userId, 'failed')
    expect((await invoicesOf(userId)).items).toEqual([])
  })

  it('an order is delivered even while the seller is missing', async () => {
    const userId = await billedPerson(database.owner)
    await toppedUp(userId)
    await database.owner.query(`update cms_api.invoicing set seller_city = ''`)
    const orderId = await ordered(userId)
    await database.owner.query(`update cms_api.invoicing set seller_city = 'Budapest'`)
    const [order] = await database.owner.query('select state from control.orders where id = $1', [orderId])
    expect(order).toEqual({ state: 'completed' })
    const waiting = await database.owner.query(
      'select document_kind from control.invoices_waiting where document_id = $1',
      [orderId],
    )
    expect(waiting).toEqual([{ document_kind: 'order' }])
  })
})

describe('tax due on receipt', () => {
  it('the top-up is invoiced, and purchases with it are not', async () => {
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup'`)
    const userId = await billedPerson(database.owner, { language: 'de' })
    await toppedUp(userId)
    await ordered(userId)
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_spend'`)
    const reader = { caller: { ...callerOf(userId), locale: 'de' } }
    expect((await invoicesOf(userId, reader)).items).toMatchObject([{ totalFt: 5000, what: 'Guthabenaufladung' }])
  })
})

describe('documents for the customer', () => {
  it('a customer gets a paged list, the PDF, the table, and a mail for each document', async () => {
    const userId = await billedPerson(database.owner)
    await toppedUp(userId)
    const document = { kind: 'order', id: await ordered(userId) }
    await database.db.transaction((tx) =>
      stornoInvoice(tx, context(), { document, reason: 'Visszatérítés', requestId: 'r' }),
    )
    const first = await invoicesOf(userId, { limit: 1 })
    const rest = await invoicesOf(userId, { limit: 1, before: first.next })
    const [storno, invoice] = [first.items[0], rest.items[0]]
    expect([rest.next, storno?.stornoOf, invoice?.stornoBy]).toEqual([null, invoice?.number, storno?.number])
    expect([storno?.totalFt, invoice?.status]).toEqual([-1980, 'storno'])

    const caller = callerOf(userId)
    const drawn = await call('invoice-file', { caller, invoiceId: invoice?.id })
    const file = INTERNAL_CALLS['invoice-file'].output.parse(drawn)
    expect(file.fileName).toBe(`${invoice?.number}.pdf`)
    const pdf = await getDocumentProxy(new Uint8Array(Buffer.from(file.pdf, 'base64')))
    const { text } = await extractText(pdf, { mergePages: true })
    for (const part of ['Számla', invoice?.number, 'Őrült Sára', 'Gyöngyös', 'Minecraft, 2 hónap', 'Bakter Kft.'])
      expect(text).toContain(part)
    const table = INTERNAL_CALLS['invoices-csv'].output.parse(await call('invoices-csv', { caller }))
    expect(table.csv.split('\r\n')).toHaveLength(4)

    const mailing = { ...context(), mailSecret: SECRET }
    const both = [invoice, storno].map((each) => ({ invoiceId: each?.id ?? '', requestId: 'request-1' }))
    await mailInvoices(mailing, both)
    for (const { id } of [invoice, storno, invoice].filter((each) => each !== undefined)) {
      await mailInvoice(mailing, id, 'request-1')
    }
    expect((await mailsTo(userId)).map(({ id, kind, language }) => [id, kind, language]).toSorted()).toEqual(
      [
        [invoice?.id, 'invoice', 'hu'],
        [storno?.id, 'storno', 'hu'],
      ].toSorted(),
    )
  })

  it('the mail of each document names its number and amount, and the document that it corrects or cancels', async () => {
    const userId = await billedPerson(database.owner)
    await toppedUp(userId)
    await toppedUp(userId)
    const document = { kind: 'order', id: await ordered(userId) } as const
    const reason = { en: 'Refund', hu: 'Visszatérítés', de: 'Erstattung' }
    await database.db.transaction((tx) =>
      correctInvoice(tx, context(), { document, cause: 'refund:1', grossFt: 80n, reason, requestId: 'r' }),
    )
    const other = { kind: 'order', id: await ordered(userId) } as const
    await database.db.transaction((tx) =>
      stornoInvoice(tx, context(), { document: other, reason: 'Visszatérítés', requestId: 'r' }),
    )
    const { items } = await invoicesOf(userId)
    for (const { id } of items) await mailInvoice({ ...context(), mailSecret: SECRET }, id, 'request-1')
    const contents = await database.owner.query<{ id: string; sealed: Buffer }>(
      'select id, sealed from control.mails where recipient = $1',
      [`${userId}@example.test`],
    )
    const told = contents.map(({ id, sealed }) => {
      const content: unknown = JSON.parse(openOwn(sealed, { secret: SECRET, label: sealLabel(id) }).toString())
      const { kind, params } = content as { kind: string; params: Record<string, unknown> }
      return [kind, params['number'], params['of'], params['amountFt']]
    })
    const [storno, second, correction, first] = items.map(({ number }) => number)
    expect(told.toSorted()).toEqual(
      [
        ['invoice', first, undefined, 1980],
        ['correction', correction, first, 80],
        ['invoice', second, undefined, 1980],
        ['storno', storno, second, 1980],
      ].toSorted(),
    )
  })

  it('no mail is sent to an unverified address', async () => {
    const userId = await billedPerson(database.owner, { verified: false })
    await toppedUp(userId)
    await ordered(userId)
    const [invoice] = (await invoicesOf(userId)).items
    await mailInvoice({ ...context(), mailSecret: SECRET }, invoice?.id ?? '', 'request-1')
    const waiting = [{ invoiceId: invoice?.id ?? '', requestId: 'request-1' }]
    await mailInvoices({ ...context(), mailSecret: SECRET }, waiting)
    expect(await mailsTo(userId)).toEqual([])
  })
})
