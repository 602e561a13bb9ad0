'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { remainingDays } from '#domain/billing/period.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'

const soonDays = 3

/** The end of a server's paid time: date and distance; an alarm when it is near or past. */
export const Expiry = ({ expiry }: { expiry: string }) => {
  const t = useTranslations('servers')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const days = remainingDays(Date.parse(expiry), Date.now())
  const day = formatDate(expiry, locale, { style: 'day', timeZone })
  const kept = formatDate(new Date(deletionAtMs(Date.parse(expiry))), locale, { style: 'day', timeZone })
  return (
    <>
      {days <= soonDays ? <Lamp kind="due">{day}</Lamp> : <b>{day}</b>}
      <span className="t2 small">{days <= 0 ? t('keptUntil', { date: kept }) : t('daysLeft', { count: days })}</span>
    </>
  )
}
