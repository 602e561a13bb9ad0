'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { formatDate } from '@/lib/format/date.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Skeleton } from '@/ui/surfaces/states.tsx'
import { TicketLamp } from '../ticket-lamp.tsx'
import { TICKET_LINKS } from '../ticket-links.ts'

const SKELETON_ROWS = 6

const TicketRow = ({ ticket }: { ticket: Ticket }) => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { createdAt, message } = ticket.lastMessage
  return (
    <li className={clsx('tk-row', ticket.unread && 'tk-row-new')}>
      <PageLink className="tk-row__link" href={TICKET_LINKS.one(ticket.id)} prefetch={false}>
        <span className="tk-row__title">
          {ticket.unread ? <span className="tk-unread">{t('unread')}</span> : null}
          <span className="cut">{ticket.title}</span>
        </span>
        <span className="tk-row__text cut t2">{message}</span>
        <span className="tk-row__facts small t2">
          <span className="mono">#{ticket.identifier}</span>
          <span className="cut">{ticket.category}</span>
          <time dateTime={createdAt}>{formatDate(createdAt, locale, { style: 'stamp', timeZone })}</time>
        </span>
        <span className="tk-row__lamp small">
          <TicketLamp ticket={ticket} />
        </span>
      </PageLink>
    </li>
  )
}

/** Tickets, one below the other. */
export const TicketRows = ({ tickets }: { tickets: readonly Ticket[] }) => {
  const t = useTranslations('tickets')
  return (
    <ul className="tk-list" aria-label={t('title')}>
      {tickets.map((ticket) => (
        <TicketRow key={ticket.id} ticket={ticket} />
      ))}
    </ul>
  )
}

/** Rows of the height of tickets while they load. */
export const TicketRowsSkeleton = () => {
  const t = useTranslations('common')
  return (
    <div role="status" className="tk-list">
      <span className="vh">{t('loading')}</span>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className="tk-row tk-row-wait" aria-hidden="true">
          <Skeleton width={row % 2 === 0 ? '46%' : '34%'} height={14} />
          <Skeleton width={row % 3 === 0 ? '70%' : '58%'} height={12} />
          <Skeleton width="28%" height={12} />
        </div>
      ))}
    </div>
  )
}
