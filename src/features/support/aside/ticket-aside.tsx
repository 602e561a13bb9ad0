'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { NamedFiles } from '@/lib/attachments/message-files.tsx'
import { formatDate } from '@/lib/format/date.ts'
import { waitText } from '@/lib/format/wait-text.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ticketCategoriesQuery } from '../ticket-queries.ts'
import { useAttachmentWords } from '../writing/attachment-words.ts'
import { firstReplyMs } from './first-reply.ts'
import { SentDetails } from './sent-details.tsx'
import { ServerNow } from './server-now.tsx'
import { FactRows, type Fact } from './fact-rows.tsx'
import { useTicketServer } from './use-ticket-server.ts'
import './aside.css'

type AsideProps = { view: TicketView; readerId: string }

/** The ticket itself: its assignee, its category and its beginning. Every ticket has them, so the column is never empty. Narrow pages have them in the head. */
const Ticket = ({ view: { ticket } }: Pick<AsideProps, 'view'>) => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { admin, category, createdAt } = ticket
  const rows: readonly Fact[] = [
    ...(admin === null ? [] : [[t('aside.assignee'), admin.username || t('erased')] as const]),
    [t('category'), category],
    [t('aside.opened'), formatDate(createdAt, locale, { style: 'dateTime', timeZone })],
  ]
  return (
    <Panel className="tk-aside__ticket" title={t('aside.ticket')}>
      <FactRows rows={rows} />
    </Panel>
  )
}

const People = ({ view: { ticket }, readerId }: AsideProps) => {
  const t = useTranslations('tickets')
  return (
    <Panel title={t('aside.people')}>
      <ul className="tk-readers">
        {[ticket.opener, ...ticket.addedUsers].map(({ id, username }) => (
          <li key={id}>
            {username || t('erased')} {id === readerId ? <span className="small t2">{t('you')}</span> : null}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The files of all messages, oldest first. They come with the ticket, so that nothing moves. */
const Files = ({ view: { ticket } }: Pick<AsideProps, 'view'>) => {
  const words = useAttachmentWords()
  const { id, attachments = [] } = ticket
  if (attachments.length === 0) return null
  return (
    <Panel title={words.files}>
      <NamedFiles ticketId={id} files={attachments} words={words} />
    </Panel>
  )
}

/** The installation's knowledge about the machine of a server. There is nothing to say while it responds. */
const Machine = ({ server }: { server: Server }) => {
  const t = useTranslations('tickets.aside')
  return (
    <Panel title={t('machine')}>
      <p className="tk-machine small t2">
        <LampGlyph kind="away" />
        {t('away', { node: server.computer.name })}
      </p>
    </Panel>
  )
}

/** How long this ticket waited for its first reply, and how long others of its category did. */
const ReplyTime = ({ view }: Pick<AsideProps, 'view'>) => {
  const t = useTranslations('tickets.aside')
  const locale = useLocale()
  const { data } = useQuery(ticketCategoriesQuery())
  const usual = data?.find(({ id }) => id === view.ticket.categoryId)?.replyTime
  const firstMs = firstReplyMs(view)
  const rows: Fact[] = []
  if (firstMs !== undefined) rows.push([t('firstReply'), waitText(firstMs, locale)])
  if (usual) {
    rows.push([t('usual'), waitText(usual.medianMs, locale)])
    rows.push([t('most'), t('within', { time: waitText(usual.ninetyPercentMs, locale) })])
  }
  if (rows.length === 0) return null
  return (
    <Panel title={t('replyTime')}>
      <FactRows rows={rows} />
    </Panel>
  )
}

/** Parts whose height depends on other answers come last and together, so that they push nothing down. */
const Late = ({ view, server, isSettled }: Pick<AsideProps, 'view'> & ReturnType<typeof useTicketServer>) => {
  const categories = useQuery(ticketCategoriesQuery())
  if (!isSettled || (categories.data === undefined && !categories.isError)) return null
  return (
    <>
      {server?.status === 'nodeoffline' ? <Machine server={server} /> : null}
      <ReplyTime view={view} />
    </>
  )
}

/**
 * The facts beside a ticket: its server now, what was sent along, the ticket itself, who reads along, its files, and how soon replies come. On narrow
 * pages they are folded below one row above the conversation, which is there only if it has more to show than the head and the lines have as well.
 */
export const TicketAside = ({ view, readerId }: AsideProps) => {
  const t = useTranslations('tickets.aside')
  const [isUnfolded, setUnfolded] = useState(false)
  const id = useId()
  const { ticket } = view
  // Staff read what their customer sent beside the ticket in the admin.
  const context = view.standing === 'opener' ? view.server : undefined
  const now = useTicketServer(context)
  const hasPeople = ticket.addedUsers.length > 0
  return (
    <aside className="tk-aside" aria-label={t('label')}>
      {context !== undefined || hasPeople ? (
        <button
          type="button"
          className="tk-fold"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {context === undefined ? t('label') : <ServerNow context={context} server={now.server} />}
          <ChevronDown className="i i-s" aria-hidden />
        </button>
      ) : null}
      <div id={id} className="tk-aside__parts" data-unfolded={isUnfolded}>
        {context === undefined ? null : (
          <>
            <Panel
              className="tk-aside__server"
              title={t('server')}
              end={
                now.server ? (
                  <PageLink className="more" href={`/panel/${context.serverId}/console`}>
                    {t('console')}
                  </PageLink>
                ) : undefined
              }
            >
              <ServerNow context={context} server={now.server} />
            </Panel>
            <SentDetails context={context} />
          </>
        )}
        <Ticket view={view} />
        {hasPeople ? <People view={view} readerId={readerId} /> : null}
        <Files view={view} />
        <Late view={view} {...now} />
      </div>
    </aside>
  )
}
