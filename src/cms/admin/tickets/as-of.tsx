'use client'

import { formatDate } from '@/lib/format/date.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { texts } from './ticket-words.ts'

/** When what is shown was read, and whether the newest read failed. */
export const AsOf = ({ atMs, isFailed }: { readonly atMs: number; readonly isFailed: boolean }) => {
  const { say, locale } = useAdminLanguage()
  const time = atMs === 0 ? '–' : formatDate(atMs, locale, { style: 'clock' })
  return (
    <span className={isFailed ? 'bakter-fault' : 'bakter-quiet'}>
      {say(isFailed ? texts.stale : texts.asOf).replace('{time}', time)}
    </span>
  )
}
