'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { answerAge } from '@/lib/browser-client/answer-age.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'

/** Above every page while no control plane runs: the time of the data below. */
export const StaleNote = ({ className }: { className: string }) => {
  const t = useTranslations('dashboard')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const asOfMs = useSyncExternalStore(answerAge.subscribe, answerAge.asOfMs, () => null)
  if (asOfMs === null) return null
  return (
    <Notice tone="wait" role="status" className={className}>
      {t('stale', { at: formatDate(asOfMs, locale, { style: 'stamp', timeZone }) })}
    </Notice>
  )
}
