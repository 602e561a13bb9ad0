'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useRef } from 'react'
import type { TicketEvent, TicketMessage } from '#contracts/http/ticket.ts'
import { MessageFiles } from '@/lib/attachments/message-files.tsx'
import { MessageText } from '@/lib/message-text/message-text.tsx'
import { words, type Words } from '../../fields/languages.ts'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { NoteSign } from './note-sign.tsx'
import { serverLink } from './test-server/server-link.ts'
import { useCustomer } from './use-customer.ts'
import { events, texts } from './ticket-words.ts'
import { useAttachmentWords } from './use-attachment-words.ts'
import type { ShownTicket } from './use-ticket.ts'

const own = {
  label: words('Conversation', 'Beszélgetés', 'Unterhaltung'),
  earlier: words('Load earlier messages', 'Korábbi üzenetek betöltése', 'Frühere Nachrichten laden'),
  note: words(
    'Internal note - the customer never sees it',
    'Belső jegyzet – az ügyfél sosem látja',
    'Interne Notiz – der Kunde sieht sie nie',
  ),
  quoted: words('Quoted text and signature', 'Idézett szöveg és aláírás', 'Zitierter Text und Signatur'),
  staff: words('Staff', 'Ügyfélszolgálat', 'Support'),
  customer: words('Customer', 'Ügyfél', 'Kunde'),
  origin: words('From #{number}', 'Innen: #{number}', 'Aus #{number}'),
}

type Props = { readonly ticketId: string; readonly isAdmin: boolean } & Pick<
  ShownTicket,
  'messages' | 'hasEarlier' | 'isLoadingEarlier' | 'isEarlierFailed' | 'loadEarlier'
>

/** The lines of a ticket, oldest first. A long one opens at its end. */
export const Conversation = ({
  ticketId,
  isAdmin,
  messages,
  hasEarlier,
  isLoadingEarlier,
  isEarlierFailed,
  loadEarlier,
}: Props) => {
  const { say } = useAdminLanguage()
  const end = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Newer browsers answer a scroll with a promise, which React would call as the effect's end.
    void end.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section aria-label={say(own.label)} className="bakter-conversation">
      {isEarlierFailed ? <ReadFailure again={loadEarlier} /> : null}
      {hasEarlier && !isEarlierFailed ? (
        <Button buttonStyle="secondary" size="medium" margin={false} disabled={isLoadingEarlier} onClick={loadEarlier}>
          {say(isLoadingEarlier ? common.loading : own.earlier)}
        </Button>
      ) : null}
      <ol>
        {messages.map((message, at) => (
          <li
            key={message.id}
            ref={at === messages.length - 1 ? end : undefined}
            data-kind={message.kind}
            data-side={message.author.isStaff ? 'staff' : 'customer'}
          >
            {message.kind === 'event' ? (
              <EventLine ticketId={ticketId} message={message} isAdmin={isAdmin} />
            ) : (
              <Message ticketId={ticketId} message={message} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const At = ({ instant }: { readonly instant: string }) => {
  const { moment } = useAdminLanguage()
  return <time dateTime={instant}>{moment(instant)}</time>
}

type MessageProps = { readonly ticketId: string; readonly message: TicketMessage }

/** The ticket in which a line was written, if that was merged into this one. */
const Origin = ({ message: { origin } }: Pick<MessageProps, 'message'>) => {
  const { say } = useAdminLanguage()
  return origin === undefined ? null : (
    <span className="bakter-origin">{say(own.origin).replace('{number}', () => origin)}</span>
  )
}

const Message = ({ ticketId, message: line }: MessageProps) => {
  const { kind, author, message, quoted, attachments, createdAt } = line
  const { say } = useAdminLanguage()
  const fileWords = useAttachmentWords()
  return (
    <article>
      {kind === 'note' ? (
        <p className="bakter-note-label">
          <NoteSign />
          {say(own.note)}
        </p>
      ) : null}
      <p className="bakter-author">
        <b>{author.username || say(texts.erased)}</b>
        <span>{say(author.isStaff ? own.staff : own.customer)}</span>
        <At instant={createdAt} />
        <Origin message={line} />
      </p>
      <MessageText text={message} />
      {quoted === undefined ? null : (
        <details className="bakter-quoted">
          <summary>{say(own.quoted)}</summary>
          <p className="bakter-message">{quoted}</p>
        </details>
      )}
      <MessageFiles ticketId={ticketId} files={attachments} words={fileWords} />
    </article>
  )
}

/** The way to a server's row beside the ticket, while it is there: only the newest servers of a customer are. */
const RowLink = ({ ticketId, serverId }: { readonly ticketId: string; readonly serverId: string }) => {
  const { say } = useAdminLanguage()
  const { data } = useCustomer(ticketId)
  if (!data?.servers.some(({ id }) => id === serverId)) return null
  return (
    <a className="bakter-server-link" href={serverLink(serverId, false)}>
      {say(texts.showServer)}
    </a>
  )
}

/** A member of staff who assigns a ticket to themselves takes it. */
const lineOf = (type: TicketEvent, { author, about }: { author: string; about: string | null }): Words => {
  if (type !== 'assigned') return events[type]
  if (about === null) return texts.unassigned
  return about !== '' && about === author ? texts.taken : events.assigned
}

/** The events of the ticket, between its messages. */
const EventLine = ({ ticketId, message, isAdmin }: MessageProps & Pick<Props, 'isAdmin'>) => {
  const { author, event, createdAt } = message
  const { say } = useAdminLanguage()
  if (event === null) return null
  const text = lineOf(event.type, { author: author.username, about: event.about })
  const names: Readonly<Record<string, string>> = {
    who: author.username || say(texts.erased),
    about: event.about || say(texts.erased),
  }
  return (
    <p>
      {/* One replacement for both, because a name may hold a placeholder. */}
      {say(text).replaceAll(/\{(who|about)\}/g, (_all, name: string) => names[name] ?? '')} · <At instant={createdAt} />{' '}
      {event.serverId === undefined ? null : isAdmin ? (
        <a className="bakter-server-link" href={serverLink(event.serverId, true)}>
          {say(texts.openServer)}
        </a>
      ) : (
        <RowLink ticketId={ticketId} serverId={event.serverId} />
      )}{' '}
      <Origin message={message} />
    </p>
  )
}
