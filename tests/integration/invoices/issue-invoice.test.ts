import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addsUp } from '#domain/billing/invoice.ts'
import { parseInvoiceNumber } from '#domain/billing/invoice-number.ts'
import { issueWaiting } from '../../../control-plane/money/invoices/issue-waiting.ts'
import { issueInvoice, type InvoiceRequest } from '../../../control-plane/money/invoices/issue-invoice.ts'
import { domainInvoiceOf, stateOf } from '../../../control-plane/money/invoices/invoice-document.ts'
import { readInvoice } from '../../../control-plane/money/invoices/read-invoices.ts'
import { stornoInvoice } from '../../../control-plane/money/invoices/storno-invoice.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson, INVOICE_DAY_MS, invoiceRequest } from '../../factories/invoices.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'
import { overtakenWrite } from '../../support/overtaken-write.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterAll(() => database.close())
afterEach(async () => {
  await database.owner.query(`update cms_api.invoicing set seller_name = 'Bakter Kft.', tax_point = 'at_spend',
    invoice_prefix = 'SZ', receipt_prefix = 'NY'`)
})

const context = (now = () => INVOICE_DAY_MS) => orderContext(database.db, { now })
const issue = (request: InvoiceRequest, now?: () => number) =>
  database.db.transaction((tx) => issueInvoice(tx, context(now), request))
const issued = async (request: InvoiceRequest, now?: () => number) => {
  const result = await issue(request, now)
  if (!result.ok) throw new Error(result.code)
  const invoice = await readInvoice(database.db, result.id)
  if (!invoice) throw new Error('the invoice is not there')
  return invoice
}
const takeBack = (request: InvoiceRequest, reason = 'The order was refunded.') =>
  database.db.transaction((tx) =>
    stornoInvoice(tx, context(), { document: request.document, reason, requestId: 'request-2' }),
  )
/** Uses a series of its own, so that a test counts its own numbers. */
const inSeries = (series: string) => database.owner.query('update cms_api.invoicing set invoice_prefix = $1', [series])
const numbersOf = async (series: string) =>
  (
    await database.owner.query<{ number: string; issued_at: Date }>(
      'select number, issued_at from control.invoices where series = $1 order by sequence',
      [series],
    )
  ).map(({ number }) => parseInvoiceNumber(number)?.sequence)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('two processes that take back one document at the same moment', () => {
  const place = () => ({ db: database.db, owner: database.owner, statement: 'insert into control.invoices (' })
  const ofDocument = ({ document }: InvoiceRequest) =>
    database.owner.query<{ kind: string; gross: bigint }>(
      'select kind, gross_ft as gross from control.invoices where document_id = $1 order by id',
      [document.id],
    )

  it('make one storno', async () => {
    const request = invoiceRequest(await billedPerson(database.owner))
    await issued(request)
    const [first, second] = await overtakenWrite(place(), (db) =>
      db.transaction((tx) =>
        stornoInvoice(tx, context(), { document: request.document, reason: 'Refund', requestId: 'r' }),
      ),
    )
    expect(second).toEqual(first)
    expect(await ofDocument(request)).toEqual([
      { kind: 'invoice', gross: 990n },
      { kind: 'storno', gross: -990n },
    ])
  })

  it('make one correction for one cause', async () => {
    const request = invoiceRequest(await billedPerson(database.owner))
    await issued(request)
    const reason = { en: 'Refund', hu: 'Visszatérítés', de: 'Erstattung' }
    const correction = { document: request.document, cause: 'refund:1', grossFt: 100n, reason, requestId: 'r' }
    const [first, second] = await overtakenWrite(place(), (db) =>
      db.transaction((tx) => correctInvoice(tx, context(), correction)),
    )
    expect(second?.id).toBe(first?.id)
    expect(await ofDocument(request)).toEqual([
      { kind: 'invoice', gross: 990n },
      { kind: 'correction', gross: -100n },
    ])
  })
})

describe('T70: numbers of a series', () => {
  it('case 86: 200 concurrent invoices, some of them rolled back, get numbers without gaps, duplicates or reordering', async () => {
    await inSeries('PAR')
    const user = await billedPerson(database.owner)
    /** A caller that got no connection in time asks again. */
    const attempt = (turn: number): Promise<boolean | string> =>
      database.db
        .transaction(async (tx) => {
          const result = await issueInvoice(tx, context(), invoiceRequest(user))
          if (turn % 5 === 0) throw new Error('given up')
          return result.ok
        })
        .catch((error: Error) => (/timeout.*connect/i.test(error.message) ? attempt(turn) : error.message))
    const tries = await Promise.all(upTo(200).map(attempt))
    expect(tries.filter((result) => result === true)).toHaveLength(160)
    expect(tries.filter((result) => result === 'given up')).toHaveLength(40)
    expect(await numbersOf('PAR')).toEqual(upTo(160))
  })

  it('invoice numbers rise with the time of issue, even if the clocks of two programs differ', async () => {
    await inSeries('CLK')
    const user = await billedPerson(database.owner)
    for (const aheadMs of [5_000, 0, 2_000, 9_000]) await issued(invoiceRequest(user), () => INVOICE_DAY_MS + aheadMs)
    const rows = await database.owner.query<{ at: bigint }>(
      `select (extract(epoch from issued_at) * 1000)::bigint as at from control.invoices where series = 'CLK' order by sequence`,
    )
    expect(rows.map(({ at }) => Number(at) - INVOICE_DAY_MS)).toEqual([5_000, 5_000, 5_000, 9_000])
  })

  it('numbers restart with each year of the seller, and each series is counted separately', async () => {
    await inSeries('YEAR')
    const user = await billedPerson(database.owner)
    // Half past midnight in Budapest, still the old year in UTC.
    const newYear = Date.UTC(2026, 11, 31, 23, 30)
    const numbers = []
    for (const atMs of [INVOICE_DAY_MS, newYear - 3_600_000, newYear, newYear + 1]) {
      numbers.push((await issued(invoiceRequest(user), () => atMs)).number)
    }
    expect(numbers).toEqual(['YEAR-2026-000001', 'YEAR-2026-000002', 'YEAR-2027-000001', 'YEAR-2027-000002'])
    const receipt = await billedPerson(database.owner, { invoiceType: 'receipt' })
    await database.owner.query(`update cms_api.invoicing set receipt_prefix = 'YREC'`)
    expect((await issued(invoiceRequest(receipt))).number).toBe('YREC-2026-000001')
  })

  it('a number cannot be taken without a document, or out of order', async () => {
    const take = (tx: { query: typeof database.db.query }) =>
      tx.query(`select * from control.invoice_next_number('GAP', 2026, now())`)
    await expect(database.db.transaction(take)).rejects.toMatchObject({ code: 'BK003' })
    const user = await billedPerson(database.owner)
    await inSeries('TURN')
    const { id } = await issued(invoiceRequest(user))
    const copy = `insert into control.invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
      'sequence', 7, 'number', 'TURN-2026-000007', 'document_id', 'x'))).* from control.invoices i where i.id = $1`
    await expect(database.db.query(copy, [id])).rejects.toMatchObject({ code: 'BK003' })
  })
})

describe('an invoice', () => {
  it('a document gets one invoice, however many requests are made', async () => {
    await inSeries('ONCE')
    const request = invoiceRequest(await billedPerson(database.owner))
    const results = await Promise.all(upTo(20).map(() => issue(request)))
    expect(new Set(results.map((result) => (result.ok ? result.number : result.code)))).toEqual(
      new Set(['ONCE-2026-000001']),
    )
    expect(await numbersOf('ONCE')).toEqual([1])
  })

  it('an invoice is rolled back with its transaction', async () => {
    await inSeries('BACK')
    const request = invoiceRequest(await billedPerson(database.owner), { requestId: 'request-back' })
    const failing = database.db.transaction(async (tx) => {
      await issueInvoice(tx, context(), request)
      throw new Error('the order failed')
    })
    await expect(failing).rejects.toThrow('the order failed')
    expect(await numbersOf('BACK')).toEqual([])
    const tasks = `select 1 from control.outbox where topic = 'invoice-mail' and request_id = 'request-back'`
    expect(await database.owner.query(tasks)).toEqual([])
    expect((await issued(request)).number).toBe('BACK-2026-000001')
    expect(await database.owner.query(tasks)).toHaveLength(1)
  })

  it('an invoice stores seller, customer, lines, tax and totals as of its issue', async () => {
    const user = await billedPerson(database.owner)
    const request = invoiceRequest(user)
    const invoice = await issued(request)
    await database.owner.query(`update cms_api.invoice_contacts set last_name = 'Más' where id = $1`, [user])
    await database.owner.query(`update cms_api.invoicing set seller_name = 'Más Kft.'`)
    const later = await readInvoice(database.db, invoice.id)
    expect(later).toEqual(invoice)
    expect(later).toMatchObject({
      userId: user,
      kind: 'invoice',
      form: 'electronic',
      language: 'hu',
      taxPoint: 'at_spend',
      documentKind: 'order',
      documentId: request.document.id,
      paymentMethod: 'balance',
      seller: { name: 'Bakter Kft.', taxNumber: '12345678-2-43' },
      customer: {
        name: 'Őrült Sára',
        postalCode: '3200',
        city: 'Gyöngyös',
        country: 'HU',
        email: `${user}@example.test`,
      },
      lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, netFt: 780, vatFt: 210, grossFt: 990 }],
      taxKind: 'domestic',
      taxRule: 'domestic-HU',
      rateBasisPoints: 2700,
      taxCountry: 'HU',
      netFt: 780,
      vatFt: 210,
      grossFt: 990,
      performedOn: '2026-06-01',
      stornoOf: null,
      stornoBy: null,
    })
    expect(invoice.taxRuleVersion).not.toBe('')
  })

  it.each([
    ['a receipt where one is wanted', { invoiceType: 'receipt' }, 'receipt'],
    ['a receipt where the address is missing', { city: '' }, 'receipt'],
    ['an invoice where name and address are there', {}, 'electronic'],
  ] as const)('a customer gets %s', async (_what, person, form) => {
    expect((await issued(invoiceRequest(await billedPerson(database.owner, person)))).form).toBe(form)
  })

  it('a customer without any data gets an anonymous receipt', async () => {
    const invoice = await issued(invoiceRequest(systemIds.next(), { locale: 'de' }))
    expect(invoice).toMatchObject({ form: 'receipt', language: 'de', customer: { name: '', country: 'HU' } })
  })

  it('a consumer in the EU is taxed at home, and one outside is not taxed', async () => {
    const german = await billedPerson(database.owner, { country: 'DE', language: 'de' })
    expect(await issued(invoiceRequest(german, { grossFt: 1190 }))).toMatchObject({
      taxKind: 'eu-consumer',
      rateBasisPoints: 1900,
      netFt: 1000,
      vatFt: 190,
      language: 'de',
      customer: { name: 'Sára Őrült' },
    })
    const american = await billedPerson(database.owner, { country: 'US', language: 'en' })
    expect(await issued(invoiceRequest(american))).toMatchObject({ taxKind: 'outside-eu', netFt: 990, vatFt: 0 })
  })

  it('only sales at the configured tax point are invoiced', async () => {
    const user = await billedPerson(database.owner)
    const topUp = invoiceRequest(user, { document: { kind: 'top-up', id: systemIds.next() } })
    const order = invoiceRequest(user)
    expect(await issue(topUp)).toEqual({ ok: false, code: 'NOT_NEEDED' })
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup'`)
    expect(await issue(order)).toEqual({ ok: false, code: 'NOT_NEEDED' })
    expect((await issued(topUp)).taxPoint).toBe('at_topup')
  })
})

describe('T71: the tax of several lines', () => {
  it('the tax is calculated from the total, and the lines add up to it', async () => {
    const text = { en: 'Part', hu: 'Rész', de: 'Teil' }
    // Rounded line by line it would be 3 x 21 - 1 = 62.
    const lines = [101, 101, 101, -3].map((grossFt) => ({ text, quantity: 1, grossFt }))
    const invoice = await issued(invoiceRequest(await billedPerson(database.owner), { lines }))
    expect({ net: invoice.netFt, vat: invoice.vatFt, gross: invoice.grossFt }).toEqual({
      net: 236,
      vat: 64,
      gross: 300,
    })
    expect(invoice.lines.reduce((total, line) => total + line.vatFt, 0)).toBe(invoice.vatFt)
    expect(addsUp(domainInvoiceOf(invoice))).toBe(true)
  })

  it('the database refuses a total that does not add up', async () => {
    await expect(
      database.owner.query(
        `insert into control.invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
           'document_id', 'y', 'number', 'x', 'sequence', 99, 'vat_ft', i.vat_ft + 1))).* from control.invoices i limit 1`,
      ),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(23514|BK003)$/) as string })
  })
})

describe('T72: issued documents', () => {
  it.each([
    `update control.invoices set gross_ft = 1, net_ft = 1, vat_ft = 0`,
    `update control.invoices set number = 'SZ-2026-999999'`,
    `update control.invoices set lines = '[{}]'`,
    `update control.invoices set customer = customer || '{"name": "Somebody else"}'`,
    `update control.invoices set seller = '{}'`,
    `delete from control.invoices`,
    `truncate control.invoices cascade`,
    `delete from control.invoice_series`,
    `update control.invoice_series set last_sequence = last_sequence - 1`,
    `update control.invoice_series set last_sequence = last_sequence + 1`,
  ])('an issued document cannot be changed, even by the database owner: %s', async (statement) => {
    await issued(invoiceRequest(await billedPerson(database.owner)))
    const all = () => database.owner.query('select i::text from control.invoices i order by id')
    const before = await all()
    await expect(database.owner.query(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^(BK00[13]|23514)$/) as string,
    })
    expect(await all()).toEqual(before)
  })

  it.each([
    'update control.invoices set gross_ft = 1',
    'delete from control.invoices',
    'truncate control.invoices',
    'update control.invoice_series set last_sequence = 1',
    `insert into control.invoice_series values ('X', 2026, 1, now())`,
  ])('the control plane’s role may not %s', async (statement) => {
    await expect(database.db.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('a document can only be cancelled by a storno with inverted lines, and the two refer to each other', async () => {
    await inSeries('STO')
    const request = invoiceRequest(await billedPerson(database.owner))
    const invoice = await issued(request)
    const taken = await takeBack(request)
    const storno = await readInvoice(database.db, taken?.id ?? '')
    const original = await readInvoice(database.db, invoice.id)
    expect(storno).toMatchObject({
      kind: 'storno',
      number: 'STO-2026-000002',
      reason: 'The order was refunded.',
      netFt: -780,
      vatFt: -210,
      grossFt: -990,
      stornoOf: { id: invoice.id, number: invoice.number },
      seller: invoice.seller,
      customer: invoice.customer,
      taxRuleVersion: invoice.taxRuleVersion,
      lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, netFt: -780, vatFt: -210, grossFt: -990 }],
    })
    expect(original).toEqual({ ...invoice, stornoBy: { id: taken?.id, number: 'STO-2026-000002' } })
    expect(original && stateOf(original)).toBe('storno')
  })

  it('a document is cancelled once, however often it is requested, and one that was not issued is not cancelled', async () => {
    await inSeries('TWICE')
    const request = invoiceRequest(await billedPerson(database.owner))
    await issued(request)
    const answers = await Promise.all(upTo(10).map(() => takeBack(request)))
    expect(new Set(answers.map((answer) => answer?.number))).toEqual(new Set(['TWICE-2026-000002']))
    expect(await numbersOf('TWICE')).toEqual([1, 2])
    expect(await takeBack(invoiceRequest(systemIds.next()))).toBeUndefined()
    await expect(takeBack(invoiceRequest(systemIds.next()), ' ')).resolves.toBeUndefined()
  })

  it('a storno of another amount is refused', async () => {
    const invoice = await issued(invoiceRequest(await billedPerson(database.owner)))
    const statement = `with next as (select * from control.invoice_next_number('BAD', 2026, now()))
      insert into control.invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'kind', 'storno',
        'series', 'BAD', 'sequence', next.sequence, 'number', 'BAD-2026-000001', 'issued_at', next.issued_at,
        'net_ft', -1, 'vat_ft', 0, 'gross_ft', -1, 'storno_of', i.id, 'reason', 'less'))).*
      from control.invoices i, next where i.id = $1`
    await expect(database.owner.query(statement, [invoice.id])).rejects.toMatchObject({ code: 'BK003' })
  })

  it('deleting an account removes only the name on its receipts', async () => {
    const [named, nameless] = [await billedPerson(database.owner), await billedPerson(database.owner, { city: '' })]
    const [invoice, receipt] = [await issued(invoiceRequest(named)), await issued(invoiceRequest(nameless))]
    const blank = `update control.invoices
      set customer = case form when 'receipt' then control.invoice_nobody(customer) else customer end where id = $1`
    for (const { id } of [invoice, receipt]) await database.db.query(blank, [id])
    expect(await readInvoice(database.db, invoice.id)).toEqual(invoice)
    expect((await readInvoice(database.db, receipt.id))?.customer).toMatchObject({ name: '', email: '', country: 'HU' })
  })
})

describe('invoicing without the seller’s data', () => {
  it('invoices wait until staff have entered the seller, and are then issued once', async () => {
    await inSeries('WAIT')
    const request = invoiceRequest(await billedPerson(database.owner))
    await database.owner.query(`update cms_api.invoicing set seller_name = ' '`)
    expect(await issue(request)).toEqual({ ok: false, code: 'SELLER_MISSING' })
    expect(await issue(request)).toEqual({ ok: false, code: 'SELLER_MISSING' })
    expect(await issueWaiting(context())).toBe(0)
    expect(await numbersOf('WAIT')).toEqual([])
    await database.owner.query(`update cms_api.invoicing set seller_name = 'Bakter Kft.'`)
    const counts = await Promise.all([issueWaiting(context()), issueWaiting(context())])
    expect(counts[0] + counts[1]).toBe(1)
    expect(await numbersOf('WAIT')).toEqual([1])
    expect(await issueWaiting(context())).toBe(0)
  })

  it('a waiting invoice is dropped when its sale is refunded', async () => {
    await inSeries('FORGET')
    const request = invoiceRequest(await billedPerson(database.owner))
    await database.owner.query(`update cms_api.invoicing set seller_tax_number = ''`)
    await issue(request)
    await takeBack(request)
    await database.owner.query(`update cms_api.invoicing set seller_tax_number = '12345678-2-43'`)
    expect(await issueWaiting(context())).toBe(0)
    expect(await numbersOf('FORGET')).toEqual([])
  })
})
