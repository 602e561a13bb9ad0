'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { formatMoney } from '@/lib/format/money.ts'

/** The lowest monthly price of a service; a dash if it depends on the chosen size. */
export const StartingPrice = ({ service: { startingPriceFt } }: { service: Pick<Service, 'startingPriceFt'> }) => {
  const t = useTranslations('services')
  const locale = useLocale()
  if (startingPriceFt === null) return '–'
  return t.rich('from', {
    price: formatMoney(startingPriceFt, locale),
    small: (text) => <span className="from">{text}</span>,
  })
}
