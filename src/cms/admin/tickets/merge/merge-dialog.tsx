'use client'

import { toast } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useId, useState } from 'react'
import type { QueuedTicket, Ticket } from '#contracts/http/ticket.ts'
import { mergedPeople } from '#domain/tickets/merge.ts'
import { ActDialog } from '../../money/act-dialog.tsx'
import { actAsAdmin } from '../../money/ask-admin.ts'
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
}

/** One of the customer's other tickets: the arrows go through them. */
const Choice = ({ tickets, chosen, onChoose }: ChoiceProps) => {
  const { say, moment } = useAdminLanguage()
  const name = useId()
  return (
    <fieldset className="bakter-targets">
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

/** Merges a ticket into another one of its customer, says before who reads what then, and leads there. */
export const MergeDialog = ({ view: { ticket }, reload, onClose }: TicketDialogProps) => {
  const { say } = useAdminLanguage()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<QueuedTicket>()
  const others = useOtherTickets(ticket, typed)
  const confirm = async () => {
    if (chosen === undefined) return say(mergeWords.choose)
    const answer = await actAsAdmin('POST /api/ticket/{id}/merge', { id: ticket.id, input: { intoId: chosen.id } })
    const refused = outcomeOf(answer)
    if (refused !== undefined) {
      await reload()
      return refused
    }
    toast.success(say(mergeWords.done).replace('{number}', () => chosen.identifier))
    router.push(ticketPath(chosen.id))
    return undefined
  }
  return (
    <ActDialog title={say(mergeWords.title)} confirm={say(mergeWords.act)} onConfirm={confirm} onClose={onClose}>
      <p>{say(mergeWords.text).replace('{number}', () => ticket.identifier)}</p>
      <TextField label={mergeWords.find} type="search" value={typed} onChange={setTyped} />
      {others.isError ? <ReadFailure again={() => void others.refetch()} /> : null}
      <div role="status">
        {others.data === undefined && !others.isError ? <p>{say(common.loading)}</p> : null}
        {others.data?.length === 0 ? <p>{say(mergeWords.none)}</p> : null}
      </div>
      {others.data === undefined || others.data.length === 0 ? null : (
        <Choice tickets={others.data} chosen={chosen} onChoose={setChosen} />
      )}
      <div role="status">{chosen === undefined ? null : <Preview source={ticket} target={chosen} />}</div>
    </ActDialog>
  )
}
