import { describe, expect, it } from 'vitest'
import type { InvoiceDocument } from '../../../../../control-plane/money/invoices/invoice-document.ts'
import { invoicesCsv } from '../../../../../control-plane/money/invoices/invoices-csv.ts'
import { invoiceDocument } from '../../../../factories/invoice-document.ts'

const storno = { id: '01890000-0000-7000-8000-000000000009', number: 'SZ-2026-000002' }

describe('invoices as a table', () => {
  it('have a row each, with amounts as whole forints and the document that belongs to it', () => {
    const back = { kind: 'storno', number: 'SZ-2026-000002', netFt: -15_669, vatFt: -4_231, grossFt: -19_900 } as const
    const csv = invoicesCsv(
      [
        invoiceDocument({ stornoBy: storno }),
        invoiceDocument({ ...back, stornoOf: { id: 'x', number: 'SZ-2026-000001' } }),
      ],
      'hu',
    )
    expect(csv.split('\r\n')).toEqual([
      '\uFEFFSorszám;Kelt;Teljesítés;Állapot;Megnevezés;Nettó (Ft);Áfa (Ft);Bruttó (Ft);Áfakulcs;Kapcsolódó bizonylat',
      'SZ-2026-000001;2026-06-01;2026-06-01;sztornózva;Minecraft, 1 hónap;15669;4231;19900;27 %;SZ-2026-000002',
      'SZ-2026-000002;2026-06-01;2026-06-01;sztornó;Minecraft, 1 hónap;-15669;-4231;-19900;27 %;SZ-2026-000001',
      '',
    ])
  })

  it('name what was sold in the language of the table, or of the document if no other was kept', () => {
    const texts = { en: 'Minecraft, 1 month', hu: 'Minecraft, 1 hónap', de: 'Minecraft, 1 Monat' }
    const [line] = invoiceDocument().lines
    if (!line) throw new Error('The document has no line.')
    const wordsIn = (language: 'en' | 'hu' | 'de', lines: InvoiceDocument['lines']) =>
      invoicesCsv([invoiceDocument({ lines })], language)
        .split('\r\n')[1]
        ?.split(';')[4]
    expect(wordsIn('en', [{ ...line, texts }])).toBe('Minecraft, 1 month')
    expect(wordsIn('de', [{ ...line, texts }])).toBe('Minecraft, 1 Monat')
    expect(wordsIn('de', [line])).toBe('Minecraft, 1 hónap')
  })

  it('name a correction, what it corrects, and every correction of an invoice', () => {
    const back = { kind: 'correction', number: 'SZ-2026-000002', netFt: -79, vatFt: -21, grossFt: -100 } as const
    const csv = invoicesCsv(
      [
        invoiceDocument({ correctedBy: [storno, { id: 'y', number: 'SZ-2026-000003' }] }),
        invoiceDocument({ ...back, correctionOf: { id: 'x', number: 'SZ-2026-000001' } }),
      ],
      'en',
    )
    const cells = csv.split('\r\n').map((row) => row.split(';'))
    expect([1, 2].map((row) => [cells[row]?.[3], cells[row]?.[7], cells[row]?.[9]])).toEqual([
      ['corrected', '19900', 'SZ-2026-000002, SZ-2026-000003'],
      ['correction', '-100', 'SZ-2026-000001'],
    ])
  })

  it.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', `'+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['a;b', '"a;b"'],
    ['two\nlines', '"two\nlines"'],
  ])('run nothing and break nowhere: %j', (description, cell) => {
    const lines = [{ description, quantity: 1, netFt: 1, vatFt: 0, grossFt: 1 }]
    expect(invoicesCsv([invoiceDocument({ lines })], 'en')).toContain(`;${cell};`)
  })

  it('without any are the columns alone', () => {
    expect(invoicesCsv([], 'de').split('\r\n')).toHaveLength(2)
  })
})
