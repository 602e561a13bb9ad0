'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import { memo } from 'react'
import { formatCount } from '@/lib/format/money.ts'
import { ansiRuns } from './ansi.ts'
import type { LogEcho, LogGap, LogLine } from './log-buffer.ts'
import type { LogClock } from './log-clock.ts'
import { hitsIn, markedRuns } from './log-search.ts'

type LineProps = {
  line: LogLine
  clock: LogClock
  /** The first line of its minute. */
  opensMinute: boolean
  /** Set on a line with hits. */
  pattern: RegExp | null
  isCurrent: boolean
}

/** The line's text as text nodes: a server's output never becomes markup. */
const LineText = ({ text, pattern }: { text: string; pattern: RegExp | null }) =>
  markedRuns(ansiRuns(text), pattern ? hitsIn(pattern, text) : []).map((run, index) => {
    if (run.isHit) {
      return (
        <mark key={index} className={run.className}>
          {run.text}
        </mark>
      )
    }
    if (run.className === '') return run.text
    return (
      <span key={index} className={run.className}>
        {run.text}
      </span>
    )
  })

/** Names the source of the line for assistive technology: it is beside the text, where no program can print. */
const NoteMark = () => {
  const t = useTranslations('console')
  return <span className="l-whose vh">{t('noteMark')} </span>
}

export const LogRow = memo(({ line, clock, opensMinute, pattern, isCurrent }: LineProps) => (
  <div
    data-seq={line.seq}
    className={clsx(
      'l',
      `l-${line.level}`,
      line.stream === 'x' && 'l-note',
      line.stream === 'i' && 'l-install',
      opensMinute && 'l-minute',
      isCurrent && 'l-current',
    )}
  >
    <time>{clock.time(line.atMs)}</time>
    <span>
      {line.stream === 'x' ? <NoteMark /> : null}
      <LineText text={line.text} pattern={pattern} />
    </span>
  </div>
))
LogRow.displayName = 'LogRow'

/** A command sent from this page. A program can imitate its words, but not its bar. */
export const EchoRow = ({ echo, clock }: { echo: LogEcho; clock: LogClock }) => (
  <div className="l-sent" data-seq={echo.seq}>
    <time>{clock.time(echo.atMs)}</time>
    <span>
      <span aria-hidden="true">&gt; </span>
      {echo.text}
    </span>
  </div>
)

/** The marker of missing lines, with their exact number. */
export const GapRow = ({ gap }: { gap: LogGap }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  return (
    <div className="l-gap" data-seq={gap.seq}>
      {t('gap', { count: gap.count, shown: formatCount(gap.count, locale) })}
    </div>
  )
}
