'use client'
import { ChevronDown, MapPin } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'
import { formatDate } from '@/lib/format/date.ts'
import { relativeTime } from '@/lib/format/relative-time.ts'
import { ActivityIcon, WayIcon } from '@/lib/servers/activity-icon.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { activityWord } from '../activity-words.ts'
import { ActorMark, ActorName } from './actor-mark.tsx'
import { EntryDetails } from './entry-details.tsx'
import type { Burst } from './entry-groups.ts'
import { placeOfEntry } from './entry-place.ts'

/** Older entries show the time alone: the heading above them has the day. */
const RELATIVE_MS = 86_400_000

const Time = ({ date, nowMs }: { date: string; nowMs: number }) => {
  const locale = useLocale()
  const timeZone = useTimeZone()
  const atMs = Date.parse(date)
  return (
    <time className="act-time" dateTime={date} title={formatDate(date, locale, { style: 'weekday', timeZone })}>
      <span className="mono">{formatDate(date, locale, { style: 'clock', timeZone })}</span>
      {nowMs - atMs < RELATIVE_MS ? <span className="t2">{relativeTime(atMs, nowMs, locale)}</span> : null}
    </time>
  )
}

const Origin = ({ way, ipAddress, place }: Pick<ServerActivity, 'way' | 'ipAddress' | 'place'>) => {
  const t = useTranslations('activities')
  const from = [ipAddress, place].filter(Boolean).join(' · ')
  if (way === null && from === '') return null
  return (
    <span className="act-origin t2">
      {way === null ? null : (
        <span className="act-way">
          <WayIcon way={way} />
          {t(`ways.${way}`)}
        </span>
      )}
      {from === '' ? null : (
        <span className="act-way">
          <MapPin className="i i-s" aria-hidden />
          <span className="min-w-0 [overflow-wrap:anywhere]">{from}</span>
        </span>
      )}
    </span>
  )
}

const More = ({ entries, server }: { entries: readonly ServerActivity[]; server: Server }) => {
  const t = useTranslations('serverActivity')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className="act-more link"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown className={isOpen ? 'i i-s turned' : 'i i-s'} aria-hidden />
        {isOpen ? t('fewer') : t('more', { count: entries.length })}
      </button>
      <ul className="act-others" id={id} hidden={!isOpen}>
        {isOpen
          ? entries.map((entry) => (
              <li key={entry.id}>
                <span className="act-detail">
                  <EntryDetails entry={entry} server={server} />
                </span>
                <time className="mono t2" dateTime={entry.date}>
                  {formatDate(entry.date, locale, { style: 'clock', timeZone })}
                </time>
              </li>
            ))
          : null}
      </ul>
    </>
  )
}

/** One entry, or a burst of like ones: who, what, how and from where, and when. */
export const EntryRow = ({ burst, server, nowMs }: { burst: Burst; server: Server; nowMs: number }) => {
  const t = useTranslations('activities')
  const [entry, ...others] = burst
  const word = activityWord(entry.type)
  const words = word === undefined ? entry.type : t(`types.${word}`)
  // A detail is the link where there is one.
  const place = entry.detail === '' ? placeOfEntry(server.id, entry, server.permissions) : null
  return (
    <li className="act-row">
      <ActorMark actor={entry.actor} />
      <div className="act-body">
        <p className="act-what">
          <ActorName actor={entry.actor} />
          <span className="act-action">
            <ActivityIcon type={entry.type} group={entry.group} />
            {place === null ? (
              words
            ) : (
              <PageLink className="link" href={place} prefetch={false}>
                {words}
              </PageLink>
            )}
          </span>
          {entry.status === 'failure' ? <Lamp kind="crash">{t('statuses.failure')}</Lamp> : null}
        </p>
        <div className="act-detail">
          <EntryDetails entry={entry} server={server} />
        </div>
        {others.length > 0 ? <More entries={others} server={server} /> : null}
        <Origin way={entry.way} ipAddress={entry.ipAddress} place={entry.place} />
      </div>
      <Time date={entry.date} nowMs={nowMs} />
    </li>
  )
}
