import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { LOCALES } from '#contracts/locale.ts'
import type { InvoiceDocument } from '../../../../../../control-plane/money/invoices/invoice-document.ts'
import { renderInvoice } from '../../../../../../control-plane/money/invoices/pdf/render-invoice.ts'
import { invoiceDocument } from '../../../../../factories/invoice-document.ts'

const textOf = async (invoice: InvoiceDocument): Promise<string> => {
  const pdf = await getDocumentProxy(await renderInvoice(invoice))
  const { text } = await extractText(pdf, { mergePages: true })
  // A forint amount has spaces that break no line.
  return text.replaceAll(/\s+/gu, ' ')
}

// Drawing takes its time where the machine has much to do.
describe('the paper of an invoice', () => {
  it('holds both parties, the lines, the tax and its rule, with ő and ű', async () => {
    const text = await textOf(invoiceDocument())
    for (const part of [
      'Számla',
      'SZ-2026-000001',
      'Őrszem Űrhajózási Kft.',
      'Őr utca 1.',
      '12345678-2-43',
      'HU12345678',
      'Hűvös Győző',
      'Tükörfúró Bt.',
      '87654321-1-42',
      '3200 Gyöngyös',
      'Fő út 3.',
      'Minecraft, 1 hónap',
      '15 669 Ft',
      '4 231 Ft',
      '19 900 Ft',
      '27 %',
      '2026-06-01',
      'előre feltöltött egyenleg',
      'domestic-HU',
      '2025-08-01',
      'Kifizetve',
      '1/1. oldal',
    ]) {
      expect(text).toContain(part)
    }
  })

  it.each([
    ['en', 'electronic', 'Invoice'],
    ['en', 'receipt', 'Receipt'],
    ['hu', 'electronic', 'Számla'],
    ['hu', 'receipt', 'Nyugta'],
    ['de', 'electronic', 'Rechnung'],
    ['de', 'receipt', 'Quittung'],
  ] as const)('is in the language of the customer: %s, %s', async (language, form, title) => {
    expect(await textOf(invoiceDocument({ language, form }))).toContain(` ${title} `)
  })

  it('of a storno names what it takes back and why, and every amount the other way round', async () => {
    const text = await textOf(
      invoiceDocument({
        kind: 'storno',
        number: 'SZ-2026-000002',
        reason: 'Elállás',
        stornoOf: { id: '01890000-0000-7000-8000-000000000001', number: 'SZ-2026-000001' },
        lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, netFt: -15_669, vatFt: -4_231, grossFt: -19_900 }],
        netFt: -15_669,
        vatFt: -4_231,
        grossFt: -19_900,
      }),
    )
    for (const part of ['Sztornó számla', 'SZ-2026-000001', 'Elállás', '\u221219 900 Ft']) expect(text).toContain(part)
    expect(text).not.toContain('Kifizetve')
  })

  it.each([
    ['en', 'Correcting invoice', 'Corrects document SZ-2026-000001', 'Corrected by: SZ-2026-000002, SZ-2026-000003.'],
    [
      'hu',
      'Helyesbítő számla',
      'SZ-2026-000001 számú bizonylat helyesbítése',
      'Helyesbítette: SZ-2026-000002, SZ-2026',
    ],
    ['de', 'Korrekturrechnung', 'Berichtigt Beleg SZ-2026-000001', 'Berichtigt durch: SZ-2026-000002, SZ-2026-000003.'],
  ] as const)('of a correction and of what it corrects name one another in %s', async (language, title, of, by) => {
    const [first, second] = [
      { id: '01890000-0000-7000-8000-000000000001', number: 'SZ-2026-000002' },
      { id: '01890000-0000-7000-8000-000000000002', number: 'SZ-2026-000003' },
    ]
    const correction = await textOf(
      invoiceDocument({
        kind: 'correction',
        language,
        number: 'SZ-2026-000002',
        reason: 'Kisebb',
        correctionOf: { id: '01890000-0000-7000-8000-000000000009', number: 'SZ-2026-000001' },
        lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, netFt: -79, vatFt: -21, grossFt: -100 }],
        netFt: -79,
        vatFt: -21,
        grossFt: -100,
      }),
    )
    for (const part of [title, of, 'Kisebb']) expect(correction).toContain(part)
    const invoice = await textOf(invoiceDocument({ language, correctedBy: [first, second] }))
    expect(invoice).toContain(by)
  })

  it('of what was taken back says by which document', async () => {
    const stornoBy = { id: '01890000-0000-7000-8000-000000000009', number: 'SZ-2026-000002' }
    expect(await textOf(invoiceDocument({ stornoBy }))).toContain('Érvénytelenítette a(z) SZ-2026-000002')
  })

  it.each([
    ['eu-reverse-charge', 'Reverse Charge'],
    ['outside-eu', 'Nicht steuerbar'],
  ] as const)('says why there is no tax: %s', async (taxKind, words) => {
    const invoice = invoiceDocument({ taxKind, language: 'de', rateBasisPoints: 0, vatNumber: 'ATU12345678' })
    expect(await textOf(invoice)).toContain(words)
  })

  it('of nobody names nobody', async () => {
    const nobody = { name: '', company: '', taxNumber: '', country: 'HU' }
    const customer = { ...nobody, postalCode: '', city: '', streetAndHouseNumber: '', email: '' }
    expect(await textOf(invoiceDocument({ form: 'receipt', customer }))).not.toContain('Vevő')
  })

  it('is the same file whenever it is drawn', async () => {
    const [first, second] = [await renderInvoice(invoiceDocument()), await renderInvoice(invoiceDocument())]
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true)
  })

  it('is drawn whole when many are asked for at once', async () => {
    const numbers = Array.from({ length: 3 }, (_, index) => `SZ-2026-00010${index}`)
    const texts = await Promise.all(numbers.map((number) => textOf(invoiceDocument({ number, kind: 'storno' }))))
    texts.forEach((text, index) => expect(text).toContain(` Sztornó számla Sorszám ${numbers[index]} `))
  })

  it('goes over to further pages where there are many lines, each with its number', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => ({
      description: `Sor ${index + 1}`,
      quantity: 1,
      netFt: 100,
      vatFt: 27,
      grossFt: 127,
    }))
    const pdf = await getDocumentProxy(await renderInvoice(invoiceDocument({ lines })))
    const { totalPages, text } = await extractText(pdf)
    expect(totalPages).toBeGreaterThan(1)
    expect(text.at(-1)).toContain(`${totalPages}/${totalPages}. oldal`)
    expect(text.join(' ')).toContain('Sor 40')
  })

  it.each(LOCALES)('has words for every way to pay in %s, and shows an unknown one as it is', async (language) => {
    expect(await textOf(invoiceDocument({ language, paymentMethod: 'carrier-pigeon' }))).toContain('carrier-pigeon')
  })
})
