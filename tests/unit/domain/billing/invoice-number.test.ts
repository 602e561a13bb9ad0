import { describe, expect, it } from 'vitest'
import { formatInvoiceNumber, invoiceYear, parseInvoiceNumber } from '#domain/billing/invoice-number.ts'

describe('invoice number', () => {
  it.each([
    [{ series: 'BKT', year: 2026, sequence: 1 }, 'BKT-2026-000001'],
    [{ series: 'BKT', year: 2027, sequence: 999_999 }, 'BKT-2027-999999'],
    [{ series: 'T2', year: 2026, sequence: 42 }, 'T2-2026-000042'],
  ])('writes and reads %j', (number, text) => {
    expect(formatInvoiceNumber(number)).toBe(text)
    expect(parseInvoiceNumber(text)).toEqual(number)
  })

  it.each([
    { series: 'bkt', year: 2026, sequence: 1 },
    { series: '', year: 2026, sequence: 1 },
    { series: 'BKT', year: 26, sequence: 1 },
    { series: 'BKT', year: 2026, sequence: 0 },
    { series: 'BKT', year: 2026, sequence: 1.5 },
    { series: 'BKT', year: 2026, sequence: 1_000_000 },
  ])('refuses %j', (number) => {
    expect(() => formatInvoiceNumber(number)).toThrow(RangeError)
  })

  it.each(['BKT-2026-000000', 'BKT-2026-1', 'BKT-26-000001', ' BKT-2026-000001', 'BKT-2026-0000011'])(
    'does not read %s',
    (text) => {
      expect(parseInvoiceNumber(text)).toBeUndefined()
    },
  )

  it('counts years where the seller is', () => {
    expect(invoiceYear(Date.UTC(2026, 11, 31, 22, 59))).toBe(2026)
    expect(invoiceYear(Date.UTC(2026, 11, 31, 23, 0))).toBe(2027)
    expect(invoiceYear(Date.UTC(2026, 11, 31, 23, 0), 'UTC')).toBe(2026)
  })
})
