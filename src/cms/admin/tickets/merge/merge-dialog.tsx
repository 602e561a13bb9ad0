'use client'

import { Button, toast } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useId, useRef, useState } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { mergedPeople } from '#domain/tickets/merge.ts'
import type { Words } from '../../../fields/languages.ts'
import { ActDialog } from '../../money/act-dialog.tsx'
import { actAsAdmin, askAdmin } from '../../money/ask-admin.ts'
import { Facts } from '../../money/facts.tsx'
import { TextField } from '../../money/fields.tsx'
import { ReadFailure } from '../../money/money-table.tsx'
import { common } from '../../money/money-words.ts'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { ticketPath } from '../../ticket-area.ts'
import { outcomeOf } from '../act-outcome.ts'
import type { TicketDialogProps } from '../ticket-dialog-props.ts'
import { states, texts } from '../ticket-words.ts'
import { mergeWords } from './merge-words.ts'
import { useOtherTickets } from './use-other-tickets.ts'

type ChoiceProps = {
  readonly tickets: readonly QueuedTicket[]
  readonly chosen: QueuedTicket | undefined
  readonly onChoose: (ticket: QueuedTicket) => void
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly more: () => Promise<unknown>
}

/** One of the customer's other tickets: the arrows go through them, and the button reads the next page. */
const Choice = ({ tickets, chosen, onChoose, hasMore, isLoadingMore, more }: ChoiceProps) => {
  const { say, moment } = useAdminLanguage()
  const name = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const readMore = async () => {
    const shown = tickets.length
    await more()
    // The last page takes the button away: the reader goes on at its first ticket.
    list.current?.querySelectorAll('input')[shown]?.focus()
  }
  return (
    <fieldset ref={list} className="bakter-targets">
      <legend>{say(mergeWords.list)}</legend>
      {tickets.map((ticket) => (
        <label key={ticket.id}>
          <input type="radio" name={name} checked={chosen?.id === ticket.id} onChange={() => onChoose(ticket)} />
          <b>{ticket.title}</b>
          <span className="bakter-quiet">
            #{ticket.identifier} · {say(states[ticket.status])} ·{' '}
            <time dateTime={ticket.createdAt}>{moment(ticket.createdAt)}</time>
          </span>
        </label>
      ))}
      {hasMore ? (
        <Button
          type="button"
          buttonStyle="secondary"
          size="medium"
          margin={false}
          disabled={isLoadingMore}
          onClick={() => void readMore()}
        >
          {say(isLoadingMore ? common.loading : common.more)}
        </Button>
      ) : null}
    </fieldset>
  )
}

const shortly = ({ identifier, title, lastMessage }: Ticket) => (
  <>
    #{identifier} {title}
    <br />
    <span className="bakter-quiet bakter-cut">{lastMessage.message}</span>
  </>
)

/** Both tickets after the merge, and everybody who reads them then. */
const Preview = ({ source, target }: { readonly source: Ticket; readonly target: Ticket }) => {
  const { say } = useAdminLanguage()
  const people = [...target.addedUsers, ...source.addedUsers]
  const ids = mergedPeople(
    source.addedUsers.map(({ id }) => id),
    target.addedUsers.map(({ id }) => id),
  )
  const names = ids.map((id) => people.find((person) => person.id === id)?.username || say(texts.erased)).join(', ')
  return (
    <section aria-label={say(mergeWords.preview)}>
      <Facts
        lines={[
          [say(mergeWords.closes), shortly(source)],
          [say(mergeWords.takes), shortly(target)],
        ]}
      />
      {source.categoryId === target.categoryId ? null : (
        <p>{say(mergeWords.staff).replace('{category}', () => target.category)}</p>
      )}
      <p>{ids.length === 0 ? say(mergeWords.alone) : say(mergeWords.people).replace('{names}', () => names)}</p>
    </section>
  )
}

/** The ticket that a colleague merged this one into; undefined if nobody did, or the reader does not work there. */
const mergedMeanwhile = async (ticketId: string) => {
  const answer = await askAdmin('GET /api/ticket/{id}', { id: ticketId, query: { limit: 1 } })
  return answer.ok ? answer.body.ticket.mergedInto : undefined
}

/** Merges a ticket into another one of its customer, says before who reads what then, and leads there. */
export const MergeDialog = ({ view: { ticket }, reload, onClose }: TicketDialogProps) => {
  const { say } = useAdminLanguage()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<QueuedTicket>()
  const others = useOtherTickets(ticket, typed)
  const { tickets } = others
  const leadTo = ({ id, identifier }: Pick<Ticket, 'id' | 'identifier'>, text: Words): undefined => {
    toast.success(say(text).replace('{number}', () => identifier))
    router.push(ticketPath(id))
    return undefined
  }
  const confirm = async () => {
    if (chosen === undefined) return say(mergeWords.choose)
    const answer = await actAsAdmin('POST /api/ticket/{id}/merge', { id: ticket.id, input: { intoId: chosen.id } })
    if (answer.ok) return leadTo(chosen, mergeWords.done)
    const earlier = answer.code === 'TICKET_MERGED' ? await mergedMeanwhile(ticket.id) : undefined
    if (earlier) return leadTo(earlier, mergeWords.already)
    // The chosen one may have been merged itself.
    others.again()
    await reload()
    return outcomeOf(answer)
  }
  return (
    <ActDialog title={say(mergeWords.title)} confirm={say(mergeWords.act)} onConfirm={confirm} onClose={onClose}>
      <p>{say(mergeWords.text).replace('{number}', () => ticket.identifier)}</p>
      <TextField label={mergeWords.find} type="search" value={typed} onChange={setTyped} />
      {others.isError ? <ReadFailure again={others.again} /> : null}
      <div role="status">
        {tickets === undefined && !others.isError ? <p>{say(common.loading)}</p> : null}
        {tickets?.length === 0 && !others.hasMore ? <p>{say(mergeWords.none)}</p> : null}
      </div>
      {tickets === undefined || (tickets.length === 0 && !others.hasMore) ? null : (
        <Choice {...others} tickets={tickets} chosen={chosen} onChoose={setChosen} />
      )}
      <div role="status">{chosen === undefined ? null : <Preview source={ticket} target={chosen} />}</div>
    </ActDialog>
  )
}
