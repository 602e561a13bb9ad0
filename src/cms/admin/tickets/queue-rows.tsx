'use client'

import { Button, Link } from '@payloadcms/ui'
import type { KeyboardEvent } from 'react'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { relativeTime } from '@/lib/format/relative-time.ts'
import { words } from '../../fields/languages.ts'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { ticketPath } from '../ticket-area.ts'
import { queueAct, stepTo } from './queue-keys.ts'
import { StateWord } from './states/state-word.tsx'
import { texts } from './ticket-words.ts'
import { useRowFocus } from './use-row-focus.ts'
import { waited } from './waiting.ts'

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
  readonly help: () => void
  /** Goes to the search. */
  readonly find: () => void
}

/** The rows. One of them is reached by Tab, the others by keys, and Enter follows its link. */
export const QueueRows = ({ tickets, atMs, hasMore, isLoadingMore, isMoreFailed, more, take, help, find }: Props) => {
  const { say } = useAdminLanguage()
  const ids = tickets.map(({ id }) => id)
  const { current, rowProps, focus } = useRowFocus(ids)
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.target instanceof HTMLAnchorElement ? queueAct(event) : undefined
    if (act === undefined) return
    event.preventDefault()
    const ticket = tickets.find(({ id }) => id === current)
    if (act === 'keys') help()
    else if (act === 'find') find()
    else if (act !== 'take') focus(stepTo(ids, current, act))
    else if (ticket !== undefined) take(ticket)
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
      {admin === null ? (
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
