'use client'

import { Button, Link } from '@payloadcms/ui'
import type { KeyboardEvent } from 'react'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { canBeTaken } from '#domain/tickets/ticket-state.ts'
import { relativeTime } from '@/lib/format/relative-time.ts'
import { words } from '../../fields/languages.ts'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { ticketPath } from '../ticket-area.ts'
import { queueAct, stepTo, type QueueAct } from './keys/queue-keys.ts'
import { StateWord } from './states/state-word.tsx'
import { texts } from './ticket-words.ts'
import { useRowFocus } from './use-row-focus.ts'
import { waited } from './waiting.ts'
import type { WritingPlace } from './keys/writing-place.ts'

const own = {
  waits: words('Waiting {time}', '{time} óta vár', 'Wartet {time}'),
  unread: words('New', 'Új', 'Neu'),
  takeOne: words('Take ticket #{id}', 'Átveszem ezt: #{id}', 'Ticket #{id} übernehmen'),
}

type Props = {
  readonly tickets: readonly QueuedTicket[]
  /** When they were read. */
  readonly atMs: number
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly isMoreFailed: boolean
  readonly more: () => void
  readonly take: (ticket: QueuedTicket) => void
  /** Closes a ticket, or reopens a closed one. */
  readonly end: (ticket: QueuedTicket) => void
  /** Opens a ticket where its reply is written. */
  readonly reply: (ticket: QueuedTicket, from: WritingPlace) => void
  readonly help: () => void
  /** Goes to the search. */
  readonly find: () => void
}

const isFree = ({ status, mergedInto }: QueuedTicket): boolean =>
  canBeTaken({ status, isMerged: mergedInto !== undefined })

/** The act of a key on the ticket of the focused row. */
const actOn = (
  act: Exclude<QueueAct, 'keys' | 'find' | 'next' | 'previous'>,
  ticket: QueuedTicket | undefined,
  { take, end, reply }: Pick<Props, 'take' | 'end' | 'reply'>,
): void => {
  if (ticket === undefined) return
  if (act === 'end') end(ticket)
  else if (act !== 'take') reply(ticket, act)
  else if (isFree(ticket)) take(ticket)
}

/** The rows. One of them is reached by Tab, the others by keys, and Enter follows its link. */
export const QueueRows = (props: Props) => {
  const { tickets, atMs, hasMore, isLoadingMore, isMoreFailed, more, take } = props
  const { say } = useAdminLanguage()
  const ids = tickets.map(({ id }) => id)
  const { current, rowProps, focus } = useRowFocus(ids)
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.target instanceof HTMLAnchorElement ? queueAct(event) : undefined
    if (act === undefined) return
    event.preventDefault()
    if (act === 'keys') props.help()
    else if (act === 'find') props.find()
    else if (act === 'next' || act === 'previous') focus(stepTo(ids, current, act))
    else
      actOn(
        act,
        tickets.find(({ id }) => id === current),
        props,
      )
  }
  return (
    <>
      <ul className="bakter-queue" aria-label={say(texts.tickets)} onKeyDown={onKeyDown}>
        {tickets.map((ticket) => (
          <Row key={ticket.id} ticket={ticket} atMs={atMs} take={take} link={rowProps(ticket.id)} />
        ))}
      </ul>
      {isMoreFailed ? <ReadFailure again={more} /> : null}
      {hasMore && !isMoreFailed ? (
        <Button buttonStyle="secondary" size="medium" disabled={isLoadingMore} onClick={more}>
          {say(common.more)}
        </Button>
      ) : null}
    </>
  )
}

type RowProps = {
  readonly ticket: QueuedTicket
  readonly link: ReturnType<ReturnType<typeof useRowFocus>['rowProps']>
} & Pick<Props, 'atMs' | 'take'>

const Row = ({ ticket, atMs, take, link }: RowProps) => {
  const { say, locale } = useAdminLanguage()
  const { id, identifier, title, lastMessage, opener, category, status, admin, waitingSince, unread, mergedInto } =
    ticket
  const time =
    waitingSince === null
      ? relativeTime(Date.parse(lastMessage.createdAt), atMs, locale)
      : say(own.waits).replace('{time}', waited(Date.parse(waitingSince), atMs, locale))
  return (
    <li className="bakter-queue-row" data-waiting={waitingSince !== null}>
      <div>
        <p className="bakter-queue-title">
          <Link href={ticketPath(id)} prefetch={false} aria-describedby={`${id}-facts`} {...link}>
            {title}
          </Link>
          {unread ? <b className="bakter-badge">{say(own.unread)}</b> : null}
        </p>
        <p className="bakter-queue-text">{lastMessage.message}</p>
        <p id={`${id}-facts`} className="bakter-queue-facts">
          <b>{time}</b>
          <StateWord status={status} mergedInto={mergedInto} />
          <span>{category}</span>
          <span>{opener.username || say(texts.erased)}</span>
          <span>
            {admin === null ? say(texts.nobody) : `${say(texts.assignee)}: ${admin.username || say(texts.erased)}`}
          </span>
          <span className="bakter-quiet">#{identifier}</span>
        </p>
      </div>
      {admin === null && isFree(ticket) ? (
        <Button
          buttonStyle="secondary"
          size="small"
          margin={false}
          aria-label={say(own.takeOne).replace('{id}', identifier)}
          onClick={() => take(ticket)}
        >
          {say(texts.take)}
        </Button>
      ) : null}
    </li>
  )
}
