import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addsUp,
  correctInvoice,
  draftInvoice,
  INVOICE_STATES,
  mayBecome,
  stornoInvoice,
  type Invoice,
  type InvoiceInput,
} from '#domain/billing/invoice.ts'
import { forints, sum } from '#domain/billing/money.ts'
import { taxRuleFor } from '#domain/billing/tax-rule.ts'

const NOW = Date.UTC(2026, 10, 22, 12)

function taxOf(country: string) {
  const rule = taxRuleFor({ country }, NOW)
  if (!rule.ok) throw new Error(rule.code)
  return rule
}

const input = (changes: Partial<InvoiceInput> = {}): InvoiceInput => ({
  form: 'electronic',
  customer: {
    name: ' Őrült Űrhajós ',
    country: 'hu',
    postalCode: '1051',
    city: 'Budapest',
    streetAndHouseNumber: 'Fő utca 1.',
    email: 'urhajos@example.com',
  },
  lines: [
    { description: 'Minecraft, 1 month', quantity: 1, gross: forints(990n), period: { startMs: NOW, endMs: NOW + 1 } },
    { description: 'Coupon SPRING', quantity: 1, gross: forints(-90n) },
  ],
  currency: 'HUF',
  tax: taxOf('HU'),
  language: 'hu',
  issuedAtMs: NOW,
  performedAtMs: NOW,
  cause: { type: 'order', id: 'o1' },
  ...changes,
})

function made(changes: Partial<InvoiceInput> = {}, state: 'issued' | 'paid' = 'paid'): Invoice {
  const draft = draftInvoice(input(changes), state)
  if (!draft.ok) throw new Error(draft.code)
  return draft.invoice
}

const withCustomer = (changes: Partial<InvoiceInput['customer']>): Partial<InvoiceInput> => ({
  customer: { ...input().customer, ...changes },
})
const line = (changes: Partial<InvoiceInput['lines'][number]>): Partial<InvoiceInput> => ({
  lines: [{ description: 'Server', quantity: 1, gross: forints(1n), ...changes }],
})

describe('invoice', () => {
  it('holds a tidied copy of the customer, lines with their tax and a total', () => {
    const invoice = made()
    expect(invoice).toMatchObject({
      kind: 'invoice',
      state: 'paid',
      total: { gross: forints(900n), net: forints(709n) },
    })
    expect(invoice.customer).toMatchObject({ name: 'Őrült Űrhajós', country: 'HU' })
    expect(addsUp(invoice)).toBe(true)
  })

  it('can be issued before it is paid', () => {
    expect(made({}, 'issued').state).toBe('issued')
  })

  it('needs no address for a receipt', () => {
    expect(
      made({ form: 'receipt', ...withCustomer({ name: '', postalCode: '', city: '', streetAndHouseNumber: '' }) }).form,
    ).toBe('receipt')
  })

  it('takes a company in place of a name', () => {
    expect(made(withCustomer({ name: '', company: 'Űr Kft.' })).customer.company).toBe('Űr Kft.')
  })

  it.each([
    ['NO_LINES', { lines: [] }],
    [
      'TOO_MANY_LINES',
      { lines: Array.from({ length: 101 }, () => ({ description: 'x', quantity: 1, gross: forints(1n) })) },
    ],
    ['LINE_INVALID', line({ description: '  ' })],
    ['LINE_INVALID', line({ description: 'a\u202Eb' })],
    ['LINE_INVALID', line({ description: 'x'.repeat(201) })],
    ['LINE_INVALID', line({ quantity: 0 })],
    ['LINE_INVALID', line({ quantity: 1.5 })],
    ['LINE_INVALID', line({ period: { startMs: 2, endMs: 1 } })],
    ['CURRENCY_MIXED', line({ gross: { minor: 1n, currency: 'EUR' } })],
    ['TOTAL_NEGATIVE', line({ gross: forints(-1n) })],
    ['NAME_MISSING', withCustomer({ name: ' ' })],
    ['ADDRESS_MISSING', withCustomer({ city: '' })],
    ['CUSTOMER_INVALID', withCustomer({ name: 'x'.repeat(200) })],
    ['CUSTOMER_INVALID', withCustomer({ company: 'Kft\u0000' })],
    ['CUSTOMER_INVALID', withCustomer({ taxNumber: '1'.repeat(41) })],
    ['CUSTOMER_INVALID', withCustomer({ postalCode: '<b>' })],
    ['COUNTRY_UNKNOWN', withCustomer({ country: 'XX' })],
  ] as const)('refuses with %s', (code, changes) => {
    expect(draftInvoice(input(changes as Partial<InvoiceInput>))).toEqual({ ok: false, code })
  })

  it('T71: adds up for any lines and any rate', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 7n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(amounts, fc.constantFrom('HU', 'DE', 'FI', 'US'), (gross, country) => {
        const lines = gross.map((minor) => ({ description: 'Server', quantity: 1, gross: forints(minor) }))
        expect(addsUp(made({ lines, tax: taxOf(country) }))).toBe(true)
      }),
    )
  })

  it('notices a document that does not add up', () => {
    const invoice = made()
    expect(addsUp({ ...invoice, total: { ...invoice.total, gross: forints(901n) } })).toBe(false)
    expect(addsUp({ ...invoice, lines: invoice.lines.slice(1) })).toBe(false)
  })
})

const STORNO = {
  number: 'BKT-2026-000001',
  stornoNumber: 'BKT-2026-000002',
  issuedAtMs: NOW + 5,
  reason: ' Wrong size ',
}

describe('storno', () => {
  it('negates every line, names the other and adds up to nothing with it', () => {
    const invoice = made()
    const taken = stornoInvoice(invoice, STORNO)
    if (!taken.ok) throw new Error(taken.code)
    expect(taken.original).toEqual({ ...invoice, state: 'storno', stornoBy: STORNO.stornoNumber })
    expect(taken.storno).toMatchObject({
      kind: 'storno',
      stornoOf: STORNO.number,
      reason: 'Wrong size',
      issuedAtMs: NOW + 5,
    })
    expect(addsUp(taken.storno)).toBe(true)
    for (const [index, each] of taken.storno.lines.entries()) {
      const before = invoice.lines[index]
      if (!before) throw new Error('a line is missing')
      expect(sum([each.vat, before.vat], 'HUF')).toEqual(forints(0n))
      expect(sum([each.net, before.net], 'HUF')).toEqual(forints(0n))
    }
  })

  it('T72: happens once, never to a storno, and never without a reason', () => {
    const taken = stornoInvoice(made(), STORNO)
    if (!taken.ok) throw new Error(taken.code)
    expect(stornoInvoice(taken.original, STORNO)).toEqual({ ok: false, code: 'ALREADY_TAKEN_BACK' })
    expect(stornoInvoice(taken.storno, STORNO)).toEqual({ ok: false, code: 'IS_STORNO' })
    expect(stornoInvoice(made(), { ...STORNO, reason: ' ' })).toEqual({ ok: false, code: 'REASON_MISSING' })
  })

  it('lets a document that was taken back never move, and a corrected one only be corrected further', () => {
    expect(INVOICE_STATES.filter((to) => mayBecome('storno', to))).toEqual([])
    expect(INVOICE_STATES.filter((to) => mayBecome('corrected', to))).toEqual(['corrected'])
    expect(mayBecome('issued', 'paid')).toBe(true)
    expect(mayBecome('paid', 'issued')).toBe(false)
  })
})

describe('correction', () => {
  const wish = (invoice: Invoice, backFt: bigint, stands: Pick<Invoice['total'], 'net' | 'vat'> = invoice.total) => ({
    number: 'BKT-2026-000001',
    issuedAtMs: NOW + 5,
    reason: ' Smaller size ',
    back: forints(backFt),
    stands,
  })

  it('takes a part off by a negative line that names what it corrects', () => {
    const invoice = made()
    const decided = correctInvoice(invoice, wish(invoice, 300n))
    if (!decided.ok) throw new Error(decided.code)
    expect(decided.correction).toMatchObject({
      kind: 'correction',
      correctionOf: 'BKT-2026-000001',
      reason: 'Smaller size',
      performedAtMs: NOW + 5,
      lines: [{ description: 'Minecraft, 1 month, Coupon SPRING', quantity: 1 }],
      total: { gross: forints(-300n), net: forints(-237n), vat: forints(-63n) },
    })
    expect(addsUp(decided.correction)).toBe(true)
  })

  it('names in each language what it corrects, if every line of the invoice does', () => {
    const translated = (texts: Record<'en' | 'hu' | 'de', string>) => ({
      description: texts.en,
      texts,
      quantity: 1,
      gross: forints(500n),
    })
    const server = translated({ en: 'Server, 1 month', hu: 'Szerver, 1 hónap', de: 'Server, 1 Monat' })
    const coupon = translated({ en: 'Coupon', hu: 'Kupon', de: 'Gutschein' })
    const lineOf = (invoice: Invoice) => {
      const decided = correctInvoice(invoice, wish(invoice, 300n))
      return decided.ok ? decided.correction.lines[0] : undefined
    }
    expect(lineOf(made({ lines: [server, coupon] }))).toMatchObject({
      description: 'Server, 1 month, Coupon',
      texts: { en: 'Server, 1 month, Coupon', hu: 'Szerver, 1 hónap, Kupon', de: 'Server, 1 Monat, Gutschein' },
    })
    const { texts: _, ...untranslated } = coupon
    expect(lineOf(made({ lines: [server, untranslated] }))).not.toHaveProperty('texts')
  })

  it('T71: any parts that make the whole take off exactly what the invoice says', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 5_000n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(amounts, fc.constantFrom('HU', 'FI', 'DE', 'US'), (parts, country) => {
        const whole = parts.reduce((all, part) => all + part, 0n)
        const invoice = made({ ...line({ gross: forints(whole) }), tax: taxOf(country) })
        let { net, vat } = invoice.total
        for (const part of parts) {
          const decided = correctInvoice(invoice, wish(invoice, part, { net, vat }))
          if (!decided.ok) throw new Error(decided.code)
          expect(addsUp(decided.correction)).toBe(true)
          net = sum([net, decided.correction.total.net], 'HUF')
          vat = sum([vat, decided.correction.total.vat], 'HUF')
          expect(net.minor >= 0n && vat.minor >= 0n).toBe(true)
        }
        expect([net, vat]).toEqual([forints(0n), forints(0n)])
      }),
    )
  })

  it('T72: takes no more than stands, nothing of what was taken back, and gives a reason', () => {
    const invoice = made()
    const taken = stornoInvoice(invoice, STORNO)
    if (!taken.ok) throw new Error(taken.code)
    const refused = (code: string) => ({ ok: false, code })
    expect(correctInvoice(invoice, wish(invoice, 901n))).toEqual(refused('AMOUNT_INVALID'))
    expect(correctInvoice(invoice, wish(invoice, 0n))).toEqual(refused('AMOUNT_INVALID'))
    expect(correctInvoice(taken.original, wish(invoice, 1n))).toEqual(refused('ALREADY_TAKEN_BACK'))
    expect(correctInvoice(taken.storno, wish(invoice, 1n))).toEqual(refused('IS_STORNO'))
    expect(correctInvoice(invoice, { ...wish(invoice, 1n), reason: ' ' })).toEqual(refused('REASON_MISSING'))
  })
})
