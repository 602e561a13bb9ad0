'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format/date.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { useRunway } from './use-runway.ts'

/** Below the balance: the date until which it lasts, if it does not cover everything due. */
export const RunwayNote = () => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const short = useRunway()?.short
  if (!short) return null
  return <Lamp kind="due">{t('enoughUntil', { date: formatDate(short.at, locale, { style: 'day', timeZone }) })}</Lamp>
}
