import type { useTranslations } from 'next-intl'
import type { Lasting } from '#domain/billing/runway.ts'
import { formatDate } from '@/lib/format/date.ts'

/** Who reads: in which language and zone dates are written. */
export type Reader = { locale: string; timeZone: string | undefined }

const YEARLESS_MS = 300 * 86_400_000

/** The day up to which a balance lasts; one that is far away has its year. */
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
