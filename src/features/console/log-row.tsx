'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import { memo } from 'react'
import { siteTimeZone } from '@/i18n/locales.ts'
import { formatCount } from '@/lib/format-money.ts'
import { ansiRuns } from './ansi.ts'
import { cachedLevel } from './levels.ts'
import type { LogEntry, LogLine } from './log-buffer.ts'

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: siteTimeZone,
})

export const Line = memo(({ line }: { line: LogLine }) => {
  const moment = new Date(line.atMs)
  return (
    <div
      className={clsx(
        'l',
        `l-${cachedLevel(line)}`,
        line.stream === 'x' && 'l-note',
        line.stream === 'i' && 'l-install',
      )}
    >
      <time dateTime={moment.toISOString()}>{clock.format(moment)}</time>
      <span>
        {ansiRuns(line.text).map((run, index) => (
          <span key={index} {...(run.className ? { className: run.className } : {})}>
            {run.text}
          </span>
        ))}
      </span>
    </div>
  )
})
Line.displayName = 'Line'

/** A line, or the marker of how many are missing. */
export const LogRow = ({ entry }: { entry: LogEntry }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  if (entry.kind === 'line') return <Line line={entry} />
  return <div className="l-gap">{t('gap', { count: entry.count, shown: formatCount(entry.count, locale) })}</div>
}
