import type { useTranslations } from 'next-intl'
import type { Lasting } from '#domain/billing/runway.ts'
import { formatDate } from '@/lib/format/date.ts'

/** The language and time zone for dates. */
export type Reader = { locale: string; timeZone: string | undefined }

const YEARLESS_MS = 300 * 86_400_000

/** The date until which a balance lasts; a distant one includes its year. */
export const lastsText = (
  t: ReturnType<typeof useTranslations<'balance'>>,
  { locale, timeZone }: Reader,
  lasts: Lasting,
): string => {
  if (lasts.kind === 'nothing-due') return '–'
  if (lasts.kind === 'beyond') return t('lastsBeyond')
  const isFar = lasts.atMs - Date.now() > YEARLESS_MS
  return formatDate(lasts.atMs, locale, { style: isFar ? 'date' : 'day', timeZone })
}
