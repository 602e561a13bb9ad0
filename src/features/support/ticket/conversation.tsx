'use client'
import clsx from 'clsx'
import { Server } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useId } from 'react'
import type { TicketEvent, TicketMessage } from '#contracts/http/ticket.ts'
import { dayAfter } from '#domain/kernel/calendar-day.ts'
import { MessageFiles } from '@/lib/attachments/message-files.tsx'
import { formatDate } from '@/lib/format/date.ts'
import { dayIn } from '@/lib/format/day.ts'
import { initialsOf } from '@/lib/format/initials.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { useAttachmentWords } from '../writing/attachment-words.ts'
import { MessageText } from '@/lib/message-text/message-text.tsx'
import { daysOf } from './ticket-days.ts'
import type { TicketDay } from './ticket-days.ts'

const EVENT_WORDS = {
  closed: 'closed',
  reopened: 'reopened',
  assigned: 'assigned',
  moved: 'moved',
  'person added': 'personAdded',
  'person removed': 'personRemoved',
  'merged into': 'mergedInto',
  'merged from': 'mergedFrom',
  'test server granted': 'testServerGranted',
} as const satisfies Record<TicketEvent, string>

const useTime = () => {
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (at: string) => formatDate(at, locale, { style: 'time', timeZone })
}

const EventLine = ({ line }: { line: TicketMessage }) => {
  const t = useTranslations('tickets')
  const time = useTime()
  if (line.event === null) return null
  const { type, about, serverId } = line.event
  const word = type === 'assigned' && about === null ? 'unassigned' : EVENT_WORDS[type]
  return (
    <li className="tk-event">
      {type === 'test server granted' ? (
        <Server className="i tk-event__sign" aria-hidden="true" />
      ) : (
        <span className="dot" />
      )}
      {t(`events.${word}`, { who: line.author.username || t('erased'), about: about ?? '' })}{' '}
      <time dateTime={line.createdAt}>{time(line.createdAt)}</time>
      <Origin line={line} />
      {serverId === undefined ? null : (
        <PageLink className="link tk-server" href={`/panel/${serverId}/console`}>
          {t('openServer')}
        </PageLink>
      )}
    </li>
  )
}

type MessageLineProps = { line: TicketMessage; ticketId: string; isOwn: boolean }
const MessageLine = ({ line, ticketId, isOwn }: MessageLineProps) => {
  const t = useTranslations('tickets')
  const words = useAttachmentWords()
  const time = useTime()
  const { isStaff, username } = line.author
  const name = username || t('erased')
  return (
    <li className={clsx('tk-line', isStaff && 'tk-line-staff')}>
      <span className={clsx('tag', 'tk-who', isStaff && 'tk-tag-staff')} aria-hidden="true">
        {initialsOf(name) || '·'}
      </span>
      <div className="tk-line__head">
        <b>{name}</b>
        {isStaff ? <Mark>{t('staff')}</Mark> : isOwn ? <span className="small t2">{t('you')}</span> : null}
        <time className="small t2" dateTime={line.createdAt}>
          {time(line.createdAt)}
        </time>
        <Origin line={line} />
      </div>
      <MessageText text={line.message} />
      {line.quoted === undefined ? null : (
        <details className="tk-quoted">
          <summary className="small t2">{t('quoted')}</summary>
          <p className="small t2">{line.quoted}</p>
        </details>
      )}
      <MessageFiles ticketId={ticketId} files={line.attachments} words={words} />
    </li>
  )
}

type DayProps = TicketDay & { ticketId: string; readerId: string; nowMs: number }
const Day = ({ day, lines, ticketId, readerId, nowMs }: DayProps) => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const id = useId()
  const today = dayIn(nowMs, timeZone)
  const near = day === today ? t('today') : day === dayAfter(today, -1) ? t('yesterday') : null
  const date = formatDate(`${day}T12:00:00Z`, locale, { style: 'fullDay', timeZone: 'UTC' })
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="tk-day">
        {near === null ? date : near}
      </h2>
      <ol className="steps tk-thread">
        {lines.map((line) =>
          line.kind === 'event' ? (
            <EventLine key={line.id} line={line} />
          ) : (
            <MessageLine key={line.id} line={line} ticketId={ticketId} isOwn={line.author.id === readerId} />
          ),
        )}
      </ol>
    </section>
  )
}

/** From which ticket a line came, when that was merged into the one that is read. */
const Origin = ({ line: { origin } }: { line: TicketMessage }) => {
  const t = useTranslations('tickets.merged')
  return origin === undefined ? null : <span className="tag tk-origin">{t('origin', { number: origin })}</span>
}

/** The lines of a ticket by day, the newest last. */
export const Conversation = ({
  lines,
  ticketId,
  readerId,
}: Pick<DayProps, 'ticketId' | 'readerId'> & { lines: readonly TicketMessage[] }) => {
  const timeZone = useTimeZone()
  const nowMs = Date.now()
  return daysOf(lines, timeZone).map((day) => (
    <Day key={day.day} {...day} ticketId={ticketId} readerId={readerId} nowMs={nowMs} />
  ))
}
