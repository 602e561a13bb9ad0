'use client'

import { Link, useAuth } from '@payloadcms/ui'
import { useEffect } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { moveAttachments } from '@/lib/attachments/use-attachments.ts'
import { words } from '../../fields/languages.ts'
import { Facts, type Fact } from '../money/facts.tsx'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { ticketPath, TICKETS_PATH } from '../ticket-area.ts'
import { AsOf } from './as-of.tsx'
import { ColleaguesLine, useTicketLink } from './colleagues-line.tsx'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { NamedPage } from './named-page.tsx'
import type { StaffCategory } from './staff-categories.ts'
import { StaffAside } from './staff-aside.tsx'
import { TicketActs } from './ticket-acts.tsx'
import { COMPOSER_MODES, ticketDrafts } from './ticket-drafts.ts'
import { TicketServer } from './ticket-server.tsx'
import { StateWord } from './states/state-word.tsx'
import { texts } from './ticket-words.ts'
import { useReadMark, useTicket, type ShownTicket } from './use-ticket.ts'

const own = {
  goneTitle: words('This ticket does not exist', 'Nincs ilyen hibajegy', 'Dieses Ticket gibt es nicht'),
  gone: words(
    "It was deleted, moved to a category that you don't work on, or never existed.",
    'Törölték, olyan kategóriába került, amellyel nem foglalkozol, vagy sosem létezett.',
    'Es wurde gelöscht, in eine Kategorie verschoben, die du nicht bearbeitest, oder hat nie existiert.',
  ),
  back: words('Back to the tickets', 'Vissza a hibajegyekhez', 'Zurück zu den Tickets'),
  ownTitle: words(
    'You are the customer of this ticket',
    'Ebben a hibajegyben te vagy az ügyfél',
    'In diesem Ticket bist du der Kunde',
  ),
  ownText: words(
    'Other staff work on it. Read and reply to it in your dashboard.',
    'Mások foglalkoznak vele. A vezérlőpultodon olvashatod, és ott válaszolhatsz.',
    'Andere bearbeiten es. Lies und beantworte es in deinem Dashboard.',
  ),
  ownLink: words('Open in the dashboard', 'Megnyitás a vezérlőpulton', 'Im Dashboard öffnen'),
  opened: words('Opened', 'Megnyitva', 'Geöffnet'),
  follows: words('Continues ticket', 'Előzménye', 'Setzt fort'),
  merged: words(
    'This ticket was merged. Continue in ticket',
    'Ezt a hibajegyet összevontuk egy másikkal. Itt folytasd:',
    'Dieses Ticket wurde zusammengeführt. Weiter geht es im Ticket',
  ),
  rating: words('Rating', 'Értékelés', 'Bewertung'),
  ratings: {
    good: words('Good', 'Jó', 'Gut'),
    bad: words('Bad', 'Rossz', 'Schlecht'),
  },
}

type Props = {
  readonly id: string
  readonly categories: readonly StaffCategory[]
  readonly isAdmin: boolean
}

/** The page of one ticket for staff. */
export const TicketPage = ({ id, categories, isAdmin }: Props) => {
  const { say } = useAdminLanguage()
  const shown = useTicket(id)
  const { view, isGone, isFailed } = shown
  if (isGone) return <GonePage />
  if (view === undefined)
    return (
      <NamedPage below={say(texts.ticket)}>
        <h1>{say(texts.ticket)}</h1>
        {isFailed ? <ReadFailure again={() => void shown.reload()} /> : <p role="status">{say(common.loading)}</p>}
      </NamedPage>
    )
  if (view.standing !== 'staff') return <OwnPage id={id} title={view.ticket.title} />
  return <StaffPage shown={shown} view={view} categories={categories} isAdmin={isAdmin} />
}

const GonePage = () => {
  const { say } = useAdminLanguage()
  return (
    <NamedPage below={say(texts.ticket)}>
      <h1>{say(own.goneTitle)}</h1>
      <p>{say(own.gone)}</p>
      <p>
        <Link href={TICKETS_PATH}>{say(own.back)}</Link>
      </p>
    </NamedPage>
  )
}

/** Staff read no notes about themselves: a ticket that they opened, or to which they were added, is in their dashboard. */
const OwnPage = ({ id, title }: { readonly id: string; readonly title: string }) => {
  const { say } = useAdminLanguage()
  return (
    <NamedPage below={title}>
      <h1>{say(own.ownTitle)}</h1>
      <p>{say(own.ownText)}</p>
      <p>
        <a href={`/dashboard/ticket/${id}`}>{say(own.ownLink)}</a>
      </p>
    </NamedPage>
  )
}

const StaffPage = ({
  shown,
  view,
  categories,
  isAdmin,
}: Omit<Props, 'id'> & { readonly shown: ShownTicket; readonly view: TicketView }) => {
  const { ticket, canReopen } = view
  const { reload } = shown
  useReadMark(ticket.id, shown.messages.at(-1)?.id)
  useTicketLink(ticket.id)
  return (
    <NamedPage below={`#${ticket.identifier}`}>
      <header className="bakter-queue-head">
        <h1>{ticket.title}</h1>
        <AsOf atMs={shown.atMs} isFailed={shown.isFailed} />
      </header>
      <TicketFacts view={view} />
      <TicketActs view={view} categories={categories} isAdmin={isAdmin} reload={reload} />
      <div className="bakter-ticket">
        <div>
          {view.server ? <TicketServer server={view.server} /> : null}
          <Conversation ticketId={ticket.id} isAdmin={isAdmin} {...shown} />
          <ColleaguesLine ticketId={ticket.id} />
          {ticket.mergedInto === undefined ? (
            <Composer ticket={ticket} canReopen={canReopen} reload={reload} />
          ) : (
            <MergedNotice target={ticket.mergedInto} ticketId={ticket.id} />
          )}
        </div>
        <StaffAside key={ticket.id} ticket={ticket} isAdmin={isAdmin} reload={reload} />
      </div>
    </NamedPage>
  )
}

type MergedProps = { readonly target: NonNullable<Ticket['mergedInto']>; readonly ticketId: string }

/** Where a merged ticket goes on, in place of the form. Texts that were being written go along, with their files. */
const MergedNotice = ({ target: { id, identifier }, ticketId }: MergedProps) => {
  const { say } = useAdminLanguage()
  const userId = String(useAuth().user?.id ?? '')
  useEffect(() => {
    ticketDrafts.move({ userId, ticketId }, id)
    for (const mode of COMPOSER_MODES) moveAttachments({ userId, message: `${ticketId}:${mode}` }, `${id}:${mode}`)
  }, [userId, ticketId, id])
  return (
    <p className="bakter-merged">
      {say(own.merged)} <Link href={ticketPath(id)}>#{identifier}</Link>
    </p>
  )
}

const TicketFacts = ({ view: { ticket, follows, rating } }: { readonly view: TicketView }) => {
  const { say, moment } = useAdminLanguage()
  const facts: readonly Fact[] = [
    [say(common.state), <StateWord key="state" status={ticket.status} mergedInto={ticket.mergedInto} />],
    [say(texts.assignee), ticket.admin === null ? say(texts.nobody) : ticket.admin.username || say(texts.erased)],
    [say(texts.category), ticket.category],
    [say(own.opened), moment(ticket.createdAt)],
    ...(follows === null
      ? []
      : [
          [
            say(own.follows),
            <Link key="follows" href={ticketPath(follows.id)}>
              #{follows.identifier}
            </Link>,
          ] as const,
        ]),
    ...(rating === null ? [] : [[say(own.rating), say(own.ratings[rating])] as const]),
  ]
  return <Facts lines={facts} />
}
