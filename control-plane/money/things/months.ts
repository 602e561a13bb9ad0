import type { Locale, LocalizedText } from '#contracts/locale.ts'

const monthsIn: Readonly<Record<Locale, (months: number) => string>> = {
  en: (months) => (months === 1 ? '1 month' : `${months} months`),
  hu: (months) => `${months} hónap`,
  de: (months) => (months === 1 ? '1 Monat' : `${months} Monate`),
}

/** A product and its months, as an invoice names them. */
export const productWithMonths = ({ en, hu, de }: LocalizedText, months: number): LocalizedText => ({
  en: `${en}, ${monthsIn.en(months)}`,
  hu: `${hu}, ${monthsIn.hu(months)}`,
  de: `${de}, ${monthsIn.de(months)}`,
})
