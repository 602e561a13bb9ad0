import type { Locale, LocalizedText } from '#contracts/locale.ts'
import type { InvoiceRequest } from './issue-invoice.ts'

const monthsIn: Readonly<Record<Locale, (months: number) => string>> = {
  en: (months) => (months === 1 ? '1 month' : `${months} months`),
  hu: (months) => `${months} hónap`,
  de: (months) => (months === 1 ? '1 Monat' : `${months} Monate`),
}

type Facts = Pick<InvoiceRequest, 'userId' | 'locale' | 'requestId' | 'performedAtMs'>

/** The invoice of an order that was delivered: one line, the product and its months, for what was taken from the balance. */
export const invoiceOfOrder = (
  facts: Facts,
  order: { id: string; product: LocalizedText; months: number; totalFt: bigint },
): InvoiceRequest => {
  const { en, hu, de } = order.product
  const text = {
    en: `${en}, ${monthsIn.en(order.months)}`,
    hu: `${hu}, ${monthsIn.hu(order.months)}`,
    de: `${de}, ${monthsIn.de(order.months)}`,
  }
  return {
    ...facts,
    document: { kind: 'order', id: order.id },
    paymentMethod: 'balance',
    lines: [{ text, quantity: 1, grossFt: Number(order.totalFt) }],
  }
}

const TOP_UP: LocalizedText = { en: 'Top-up of the balance', hu: 'Egyenlegfeltöltés', de: 'Aufladung des Guthabens' }

/** The invoice of a top-up that was settled, for what was credited. Issued where the tax is due when the money comes in. */
export const invoiceOfTopUp = (
  facts: Facts,
  payment: { id: string; provider: string; creditedFt: bigint },
): InvoiceRequest => ({
  ...facts,
  document: { kind: 'top-up', id: payment.id },
  paymentMethod: payment.provider,
  lines: [{ text: TOP_UP, quantity: 1, grossFt: Number(payment.creditedFt) }],
})
