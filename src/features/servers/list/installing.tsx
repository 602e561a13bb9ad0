'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { formatDate } from '@/lib/format/date.ts'
import { dayIn } from '@/lib/format/day.ts'

type Props = { readonly server: Pick<Server, 'status' | 'installation'> }

/** Since when the server is being installed, with the day where it was not today. */
export const Installing = ({ server: { status, installation } }: Props) => {
  const t = useTranslations('servers')
  const locale = useLocale()
  const timeZone = useTimeZone()
  if (status !== 'installing' || installation === null) return null
  const { startedAt } = installation
  const isToday = dayIn(Date.parse(startedAt), timeZone) === dayIn(Date.now(), timeZone)
  const time = formatDate(startedAt, locale, { style: isToday ? 'time' : 'stamp', timeZone })
  return <span className="small t2 nw">{t('since', { time })}</span>
}
