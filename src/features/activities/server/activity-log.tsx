'use client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerActivity, ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import { dayAfter } from '#domain/kernel/calendar-day.ts'
import { formatDate } from '@/lib/format/date.ts'
import { dayIn } from '@/lib/format/day.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { activityLogQuery } from './activity-queries.ts'
import { daysOf } from './entry-groups.ts'
import type { ActivityDay } from './entry-groups.ts'
import { EntryRow } from './entry-row.tsx'

const MINUTE_MS = 60_000

const useMinute = (): number => {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), MINUTE_MS)
    return () => window.clearInterval(timer)
  }, [])
  return nowMs
}

const Day = ({ day, bursts, server, nowMs }: ActivityDay & { server: Server; nowMs: number }) => {
  const t = useTranslations('serverActivity')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const id = useId()
  const today = dayIn(nowMs, timeZone)
  const near = day === today ? t('today') : day === dayAfter(today, -1) ? t('yesterday') : null
  const date = formatDate(`${day}T12:00:00Z`, locale, { style: 'fullDay', timeZone: 'UTC' })
  return (
    <section className="act-day" aria-labelledby={id}>
      <h2 id={id}>
        {near === null ? null : <span>{near}</span>}
        <span className={near === null ? '' : 't2'}>{date}</span>
      </h2>
      <ol className="act-list">
        {bursts.map((burst) => (
          <EntryRow key={burst[0].id} burst={burst} server={server} nowMs={nowMs} />
        ))}
      </ol>
    </section>
  )
}

/** The log of a filter. While another filter loads, the entries of the one before stay, greyed. */
export const useActivityLog = (serverId: string, filter: ServerActivityFilter) => {
  const query = useInfiniteQuery({ ...activityLogQuery(serverId, filter), placeholderData: keepPreviousData })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  // A page of a strict filter may be empty although there is more: one call looks through a bounded number of entries.
  const continues = hasNextPage && !isFetching && !isError && data?.pages.at(-1)?.items.length === 0
  useEffect(() => {
    if (continues) void fetchNextPage()
  }, [continues, fetchNextPage])
  return query
}
type LogQuery = ReturnType<typeof useActivityLog>

const Older = ({ query }: { query: LogQuery }) => {
  const t = useTranslations('serverActivity')
  const ta = useTranslations('activities')
  if (query.isFetchNextPageError) {
    return (
      <p className="act-end" role="alert">
        {t('olderFailed')}
        <Button size="s" onClick={() => void query.fetchNextPage()}>
          {t('retry')}
        </Button>
      </p>
    )
  }
  if (!query.hasNextPage) return <p className="act-end small t2">{t('end')}</p>
  return (
    <p className="act-end">
      <Button size="s" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {ta('older')}
      </Button>
    </p>
  )
}

const Fresh = ({ count, onShow }: { count: number; onShow: () => void }) => {
  const t = useTranslations('serverActivity')
  return (
    <div className="act-fresh" role="status">
      {count === 0 ? null : (
        <Button size="s" onClick={onShow}>
          <ArrowUp className="i i-s" aria-hidden />
          {t('fresh', { count })}
        </Button>
      )}
    </div>
  )
}

type LogProps = {
  server: Server
  query: LogQuery
  entries: readonly ServerActivity[]
  fresh: { count: number; show: () => void }
  /** Why there may be nothing. */
  empty: 'no match' | 'nothing yet'
}

const Nothing = ({ empty }: Pick<LogProps, 'empty'>) => {
  const t = useTranslations('serverActivity')
  return empty === 'no match' ? (
    <EmptyState picture={<Drawing group="empty" name="nothing-found" width={320} />}>{t('noMatch')}</EmptyState>
  ) : (
    <EmptyState picture={<Drawing group="empty" name="servers" width={320} />}>{t('empty')}</EmptyState>
  )
}

/** Entries by day, newest first. */
export const ActivityLog = ({ server, query, entries, fresh, empty }: LogProps) => {
  const t = useTranslations('serverActivity')
  const timeZone = useTimeZone()
  const nowMs = useMinute()
  const top = useRef<HTMLDivElement>(null)
  const isSearching = query.hasNextPage && entries.length === 0 && !query.isError
  const show = () => {
    fresh.show()
    // The pressed button disappears; the focus goes to the entries that it has brought.
    top.current?.focus()
  }
  return (
    <>
      <Fresh count={fresh.count} onShow={show} />
      <div
        ref={top}
        tabIndex={-1}
        role="group"
        aria-label={t('title')}
        className={query.isPlaceholderData ? 'act-log stale' : 'act-log'}
        aria-busy={query.isPlaceholderData}
      >
        {daysOf(entries, timeZone).map((day) => (
          <Day key={day.day} {...day} server={server} nowMs={nowMs} />
        ))}
      </div>
      {isSearching ? (
        <p className="act-end" role="status">
          <Lamp kind="busy">{t('searching')}</Lamp>
        </p>
      ) : null}
      {entries.length === 0 && !isSearching && !query.isFetchNextPageError ? <Nothing empty={empty} /> : null}
      {entries.length > 0 || query.isFetchNextPageError ? <Older query={query} /> : null}
    </>
  )
}
