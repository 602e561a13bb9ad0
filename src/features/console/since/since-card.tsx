'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useId } from 'react'
import type { NewsLine, SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import { formatDate } from '@/lib/format/date.ts'
import { dayIn } from '@/lib/format/day.ts'
import { minuteText } from '@/lib/format/minute.ts'
import { formatCount } from '@/lib/format/money.ts'
import { ActivityIcon } from '@/lib/servers/activity-icon.tsx'
import { IconButton } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Icon } from '@/ui/signs/icon.tsx'

/** A time of today by the clock alone, an older one with its day. */
const useTime = () => {
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (moment: string): string => {
    const isToday = dayIn(moment, timeZone) === dayIn(Date.now(), timeZone)
    return formatDate(moment, locale, { style: isToday ? 'time' : 'stamp', timeZone })
  }
}

/** The person; the server and the system need no name, the words of their lines say it. */
const useActor = () => {
  const t = useTranslations('serverActivity.actors')
  return (actor: NewsLine['actor']): string | null => {
    if (actor === null || typeof actor === 'string') return null
    return actor.name ?? t('deleted', { id: actor.id.slice(-4) })
  }
}

const idOf = (actor: NewsLine['actor']): string =>
  actor === null || typeof actor === 'string' ? String(actor) : actor.id

/** A path is known by its last part, and cut there. */
const Path = ({ path }: { path: string }) => (
  <span className="mono since-detail" title={path}>
    {path.split('/').findLast((part) => part !== '') ?? path}
  </span>
)

const Line = ({ line }: { line: NewsLine }) => {
  const t = useTranslations('console.since')
  const time = useTime()(line.last)
  const actor = useActor()(line.actor)
  const { kind, count, detail } = line
  return (
    <li data-group={line.group}>
      <ActivityIcon type={line.type} group={line.group} />
      <span className="since-what">
        {t(`kinds.${kind}`, { count })}{' '}
        {kind === 'files' && count === 1 && detail !== '' ? <Path path={detail} /> : null}
      </span>
      <span className="since-who t2 small">
        {actor === null ? null : <b className="cut">{actor}</b>}
        <time className="tnum" dateTime={line.last}>
          {count === 1 ? time : t('last', { time })}
        </time>
      </span>
    </li>
  )
}

type SinceCardProps = {
  readonly serverId: string
  readonly news: SinceYouLeft
  readonly maySeeLog: boolean
  readonly onClose: () => void
}

/** The card of the events while the reader was away. It lies over the log, so that nothing moves when it comes and goes. */
export const SinceCard = ({ serverId, news, maySeeLog, onClose }: SinceCardProps) => {
  const t = useTranslations('console.since')
  const tc = useTranslations('common')
  const locale = useLocale()
  const time = useTime()
  const id = useId()
  const { since, lines, more } = news
  return (
    <section
      className="since"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <header className="since-head">
        <h2 id={id}>{t('title')}</h2>
        <time className="t2 small tnum" dateTime={since}>
          {time(since)}
        </time>
        <IconButton small label={tc('close')} icon={<Icon name="close" />} onClick={onClose} />
      </header>
      <ul>
        {lines.map((line) => (
          <Line key={`${line.kind} ${idOf(line.actor)}`} line={line} />
        ))}
      </ul>
      {maySeeLog && more > 0 ? (
        <PageLink
          className="link small since-more"
          href={`/panel/${serverId}/activities?when=own&from=${minuteText(since)}`}
          prefetch={false}
        >
          {t('more', { count: more, shown: formatCount(more, locale) })}
        </PageLink>
      ) : null}
    </section>
  )
}
