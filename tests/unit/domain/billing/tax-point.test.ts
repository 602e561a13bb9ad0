import { expect, it } from 'vitest'
import { DOCUMENT_CAUSES, needsInvoice, TAX_POINTS } from '#domain/billing/tax-point.ts'

it('taxes either the top-up or what it is spent on, never both and never neither', () => {
  for (const taxPoint of TAX_POINTS) {
    const isTopUpTaxed = needsInvoice({ cause: 'top-up', taxPoint, grossFt: 1n })
    for (const cause of DOCUMENT_CAUSES.filter((each) => each !== 'top-up')) {
      expect(needsInvoice({ cause, taxPoint, grossFt: 1n })).toBe(!isTopUpTaxed)
    }
  }
})

it.each([0n, -5n])('asks for no document of %s Ft', (grossFt) => {
  expect(needsInvoice({ cause: 'order', taxPoint: 'at_spend', grossFt })).toBe(false)
})
