'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { LogEntry } from './log-buffer.ts'

const sayEveryMs = 5_000

/** Errors after number `seen`, and the newest number. */
export const freshErrors = (entries: readonly LogEntry[], seen: number): number =>
  entries.reduce(
    (count, entry) => count + (entry.kind === 'line' && entry.seq > seen && entry.level === 'error' ? 1 : 0),
    0,
  )

/**
 * The log itself is silent for assistive technology; new errors are announced as a count, at most every five seconds.
 */
export const ErrorSummary = ({ entries }: { entries: readonly LogEntry[] }) => {
  const t = useTranslations('console')
  const [told, setTold] = useState(0)
  const latest = useRef(entries)
  const seen = useRef(-1)
  useEffect(() => {
    latest.current = entries
    // Errors from before the page are not news.
    if (seen.current === -1 && entries.length > 0) seen.current = entries.at(-1)?.seq ?? 0
  }, [entries])
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (seen.current === -1) return
      setTold(freshErrors(latest.current, seen.current))
      seen.current = Math.max(seen.current, latest.current.at(-1)?.seq ?? 0)
    }, sayEveryMs)
    return () => window.clearInterval(timer)
  }, [])
  return (
    <p className="vh" role="status">
      {told > 0 ? t('newErrors', { count: told }) : ''}
    </p>
  )
}
