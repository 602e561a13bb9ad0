import type { LocalizedText } from '#contracts/locale.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { storedTax } from '../tax/tax-of-sale.ts'
import type { InvoiceRequest } from './issue-invoice.ts'

/** `tax` is the one in the sale's row. */
type Facts = Pick<InvoiceRequest, 'userId' | 'locale' | 'requestId' | 'performedAtMs'> & { readonly tax: TaxRule }

type Sold = {
  readonly kind: DocumentCause
  readonly id: string
  readonly text: LocalizedText
  readonly totalFt: bigint
}

/** One line with the amount that was taken from the balance. */
export const invoiceOfSale = (facts: Facts, { kind, id, text, totalFt }: Sold): InvoiceRequest => ({
  ...facts,
  tax: storedTax(facts.tax),
  document: { kind, id },
  paymentMethod: 'balance',
  lines: [{ text, quantity: 1, grossFt: Number(totalFt) }],
})

const TOP_UP: LocalizedText = { en: 'Balance top-up', hu: 'Egyenlegfeltöltés', de: 'Guthabenaufladung' }

/**
 * The invoice of a settled top-up, for the credited amount. Issued if tax is due on receipt; without a tax point the
 * one of the settings counts.
 */
export const invoiceOfTopUp = (
  facts: Facts & Pick<InvoiceRequest, 'taxPoint'>,
  payment: { id: string; provider: string; creditedFt: bigint },
): InvoiceRequest => ({
  ...facts,
  tax: storedTax(facts.tax),
  document: { kind: 'top-up', id: payment.id },
  paymentMethod: payment.provider,
  lines: [{ text: TOP_UP, quantity: 1, grossFt: Number(payment.creditedFt) }],
})
