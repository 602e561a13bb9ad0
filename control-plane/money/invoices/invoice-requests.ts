import type { Locale, LocalizedText } from '#contracts/locale.ts'
import { premiumName, type PremiumTier } from '#domain/billing/premium.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { storedTax } from '../tax/tax-of-sale.ts'
import type { InvoiceRequest } from './issue-invoice.ts'

const monthsIn: Readonly<Record<Locale, (months: number) => string>> = {
  en: (months) => (months === 1 ? '1 month' : `${months} months`),
  hu: (months) => `${months} hónap`,
  de: (months) => (months === 1 ? '1 Monat' : `${months} Monate`),
}

/** `tax` is that of the sale's row. */
type Facts = Pick<InvoiceRequest, 'userId' | 'locale' | 'requestId' | 'performedAtMs'> & { readonly tax: TaxRule }

type Sold = {
  readonly kind: DocumentCause
  readonly id: string
  readonly text: LocalizedText
  readonly totalFt: bigint
}

/** One line, for what was taken from the balance. */
const invoiceOfSale = (facts: Facts, { kind, id, text, totalFt }: Sold): InvoiceRequest => ({
  ...{ ...facts, tax: storedTax(facts.tax) },
  document: { kind, id },
  paymentMethod: 'balance',
  lines: [{ text, quantity: 1, grossFt: Number(totalFt) }],
})

type Months = {
  readonly id: string
  readonly product: LocalizedText
  readonly months: number
  readonly totalFt: bigint
}

const monthsOf = ({ product: { en, hu, de }, months }: Months): LocalizedText => ({
  en: `${en}, ${monthsIn.en(months)}`,
  hu: `${hu}, ${monthsIn.hu(months)}`,
  de: `${de}, ${monthsIn.de(months)}`,
})

/** The invoice of an order that was delivered: the product and its months. */
export const invoiceOfOrder = (facts: Facts, order: Months): InvoiceRequest =>
  invoiceOfSale(facts, { kind: 'order', id: order.id, text: monthsOf(order), totalFt: order.totalFt })

/** The invoice of a renewal: the product and the months that were added. */
export const invoiceOfRenewal = (facts: Facts, renewal: Months): InvoiceRequest =>
  invoiceOfSale(facts, { kind: 'renewal', id: renewal.id, text: monthsOf(renewal), totalFt: renewal.totalFt })

/** The invoice of more resources for the rest of the paid time, for what they cost besides. */
export const invoiceOfModification = (
  facts: Facts,
  { product: { en, hu, de }, ...change }: Omit<Months, 'months'>,
): InvoiceRequest => {
  const text = { en: `${en}, more resources`, hu: `${hu}, erőforrás-bővítés`, de: `${de}, mehr Ressourcen` }
  return invoiceOfSale(facts, { ...change, kind: 'modification', text })
}

/** The invoice of a premium tier and its days. */
export const invoiceOfPremium = (
  facts: Facts,
  { tier, days, ...bought }: { id: string; tier: PremiumTier; days: number; totalFt: bigint },
): InvoiceRequest => {
  const name = premiumName(tier)
  const text = { en: `${name}, ${days} days`, hu: `${name}, ${days} nap`, de: `${name}, ${days} Tage` }
  return invoiceOfSale(facts, { ...bought, kind: 'premium', text })
}

/** The invoice of bought spins of the prize wheel. */
export const invoiceOfSpins = (
  facts: Facts,
  { count, ...bought }: { id: string; count: number; totalFt: bigint },
): InvoiceRequest => {
  const text = {
    en: `Spins of the prize wheel: ${count}`,
    hu: `Szerencsekerék-pörgetés: ${count} db`,
    de: `Drehungen am Glücksrad: ${count}`,
  }
  return invoiceOfSale(facts, { ...bought, kind: 'spin', text })
}

const TOP_UP: LocalizedText = { en: 'Top-up of the balance', hu: 'Egyenlegfeltöltés', de: 'Aufladung des Guthabens' }

/**
 * The invoice of a top-up that was settled, for what was credited. Issued where the tax is due when the money comes in; without a tax point
 * that of the settings counts.
 */
export const invoiceOfTopUp = (
  facts: Facts & Pick<InvoiceRequest, 'taxPoint'>,
  payment: { id: string; provider: string; creditedFt: bigint },
): InvoiceRequest => ({
  ...{ ...facts, tax: storedTax(facts.tax) },
  document: { kind: 'top-up', id: payment.id },
  paymentMethod: payment.provider,
  lines: [{ text: TOP_UP, quantity: 1, grossFt: Number(payment.creditedFt) }],
})
