'use client'
import { ArrowDown } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { TicketAside } from '../aside/ticket-aside.tsx'
import { BackToTickets } from '../back-to-tickets.tsx'
import { TicketLamp } from '../ticket-lamp.tsx'
import { TICKET_LINKS } from '../ticket-links.ts'
import { ChangeTicket } from './change-ticket.tsx'
import { Conversation } from './conversation.tsx'
import { EarlierLines } from './earlier-lines.tsx'
import { Rating } from './rating.tsx'
import { ReplyForm } from './reply-form.tsx'
import { ContinueLink } from './ticket-failure.tsx'
import { moveWriting } from '../writing/move-writing.ts'
import { useReadMark } from './use-read-mark.ts'
import { useSteadyLines } from './use-steady-lines.ts'
import { WritingLine } from './writing-line.tsx'

type BodyProps = { view: TicketView; readerId: string; isOff: boolean }

/** The title of a ticket with its facts. Those that a wide page has beside the conversation stand here on narrower ones. */
export const TicketHead = ({ view, isOff }: Pick<BodyProps, 'view' | 'isOff'>) => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { ticket, follows, standing, canReopen } = view
  const act = ticket.status !== 'closed' ? 'close' : canReopen && !isOff ? 'reopen' : null
  return (
    <header className="page-h tk-head">
      <div>
        <BackToTickets />
        <h1>{ticket.title}</h1>
        <p className="tk-facts">
          <TicketLamp ticket={ticket} />
          <span className="mono">#{ticket.identifier}</span>
          <span className="tk-facts__beside">{ticket.category}</span>
          <span className="tk-facts__beside">
            {t('opened', { date: formatDate(ticket.createdAt, locale, { style: 'dateTime', timeZone }) })}
          </span>
          {ticket.admin === null ? null : (
            <span className="tk-facts__beside">{t('assigned', { name: ticket.admin.username || t('erased') })}</span>
          )}
          {follows === null ? null : (
            <PageLink className="link" href={TICKET_LINKS.one(follows.id)}>
              {t('follows', { number: follows.identifier })}
            </PageLink>
          )}
        </p>
      </div>
      {standing === 'opener' && act !== null ? (
        <div className="end">
          <ChangeTicket key={act} ticketId={ticket.id} act={act} />
        </div>
      ) : null}
    </header>
  )
}

type MergedProps = { target: NonNullable<Ticket['mergedInto']>; ticketId: string; readerId: string }

/** Where a merged ticket goes on, with the way there. A reply that was being written goes along, with its files. */
const MergedInto = ({ target: { id, identifier: number }, ticketId, readerId }: MergedProps) => {
  const t = useTranslations('tickets.merged')
  useEffect(() => moveWriting({ userId: readerId, ticket: ticketId }, id), [readerId, ticketId, id])
  return (
    <Notice
      action={
        <PageLink className={buttonClass({ size: 's', look: 'primary' })} href={TICKET_LINKS.one(id)}>
          {t('open', { number })}
        </PageLink>
      }
    >
      {t('title', { number })}
    </Notice>
  )
}

/** The reader's acts below the last line. */
const Foot = ({ view, readerId, isOff }: BodyProps) => {
  const t = useTranslations('tickets')
  const tw = useTranslations('switches')
  const { ticket, standing, canReopen } = view
  if (ticket.mergedInto !== undefined)
    return <MergedInto target={ticket.mergedInto} ticketId={ticket.id} readerId={readerId} />
  if (standing === 'staff') {
    return (
      <Notice
        action={
          <a className={buttonClass({ size: 's' })} href="/admin">
            {t('toAdmin')}
          </a>
        }
      >
        {t('asStaff')}
      </Notice>
    )
  }
  if (ticket.status === 'closed') {
    if (isOff) return <Notice>{tw('tickets')}</Notice>
    if (canReopen) return <Notice>{t(standing === 'added' ? 'closedForAdded' : 'closedNow')}</Notice>
    return standing === 'added' ? (
      <Notice
        action={
          <PageLink className={buttonClass({ size: 's' })} href={TICKET_LINKS.opening}>
            {t('new')}
          </PageLink>
        }
      >
        {t('tooOldForAdded')}
      </Notice>
    ) : (
      <Notice action={<ContinueLink ticketId={ticket.id} />}>{t('tooOld')}</Notice>
    )
  }
  return isOff ? (
    <Notice tone="wait" role="status">
      {tw('tickets')}
    </Notice>
  ) : (
    <ReplyForm ticketId={ticket.id} userId={readerId} isOpener={standing === 'opener'} />
  )
}

/** A ticket with its conversation, and what its reader can do with it. Notes of staff are read elsewhere. */
export const TicketBody = ({ view, readerId, isOff }: BodyProps) => {
  const t = useTranslations('tickets')
  const lines = view.messages.filter(({ kind }) => kind !== 'note')
  const { list, end, input, isAtEnd, unseen, toEnd } = useSteadyLines(lines, readerId)
  useReadMark(view, isAtEnd)
  return (
    <>
      <TicketHead view={view} isOff={isOff} />
      <div className="tk-two">
        <TicketAside view={view} readerId={readerId} />
        <div className="tk-body">
          <div ref={list}>
            <EarlierLines view={view} />
            <Conversation lines={lines} ticketId={view.ticket.id} readerId={readerId} />
          </div>
          <div ref={end} className="tk-end" />
          <div className="tk-fresh" role="status">
            {unseen === 0 || isAtEnd ? null : (
              <Button size="s" look="primary" onClick={toEnd}>
                <ArrowDown className="i i-s" aria-hidden />
                {t('fresh', { count: unseen })}
              </Button>
            )}
          </div>
          {view.standing === 'opener' && view.ticket.status === 'closed' && view.ticket.mergedInto === undefined ? (
            <Rating view={view} />
          ) : null}
          {view.ticket.status === 'closed' ? null : <WritingLine ticketId={view.ticket.id} />}
          <div ref={input} className="tk-foot">
            <Foot view={view} readerId={readerId} isOff={isOff} />
          </div>
        </div>
      </div>
    </>
  )
}
