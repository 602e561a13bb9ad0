'use client'

import { Button, useAuth } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useRef, useState, type RefCallback } from 'react'
import { TICKET_BOUNDS, type QueuedTicket } from '#contracts/http/ticket.ts'
import { Id } from '#contracts/primitives.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'
import { useRested } from '@/ui/screen/use-rested.ts'
import { words } from '../../fields/languages.ts'
import { actAsAdmin } from '../money/ask-admin.ts'
import { ChoiceField, TextField } from '../money/fields.tsx'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { AsOf } from './as-of.tsx'
import { KeysDialog } from './keys/keys-dialog.tsx'
import { NamedPage, TicketsTabs } from './named-page.tsx'
import { QueueRows } from './queue-rows.tsx'
import type { StaffCategory } from './staff-categories.ts'
import { ConfirmDialog } from './ticket-dialog.tsx'
import { states, texts } from './ticket-words.ts'
import { useQueue, useQueueLink, type QueueFilter } from './use-queue.ts'
import { writingPath } from './keys/writing-place.ts'

const own = {
  search: words('Words or ticket number', 'Szavak vagy hibajegyszám', 'Wörter oder Ticketnummer'),
  assignees: {
    all: words('Everyone', 'Mindenki', 'Alle'),
    nobody: texts.nobody,
    me: words('Me', 'Én', 'Ich'),
  },
  states: {
    open: states.open,
    waiting: states['waiting for response'],
    closed: states.closed,
    all: common.all,
  },
  ofCustomer: words('Tickets of one customer: {who}', 'Egy ügyfél hibajegyei: {who}', 'Tickets eines Kunden: {who}'),
  clear: words('Clear the filters', 'Szűrők törlése', 'Filter löschen'),
  ofAll: words('Show those of everyone', 'Mindenki hibajegyei', 'Die von allen zeigen'),
  keys: words('Keyboard shortcuts', 'Billentyűparancsok', 'Tastenkürzel'),
  answered: words(
    'No open tickets here. Every customer has an answer.',
    'Itt nincs nyitott hibajegy. Minden ügyfél választ kapott.',
    'Hier gibt es keine offenen Tickets. Alle Kunden haben eine Antwort.',
  ),
  none: words(
    'No tickets match these filters.',
    'Nincs a szűrőknek megfelelő hibajegy.',
    'Zu diesen Filtern gibt es keine Tickets.',
  ),
  noCategory: words(
    "Your role has no ticket categories, so you don't see any tickets. An administrator can add categories to it.",
    'A szerepkörödhöz nem tartozik hibajegy-kategória, ezért nem látsz hibajegyeket. Kategóriát egy adminisztrátor adhat hozzá.',
    'Deine Rolle hat keine Ticketkategorien, deshalb siehst du keine Tickets. Ein Administrator kann ihr Kategorien hinzufügen.',
  ),
  taken: words('You took ticket #{id}.', 'Átvetted ezt a hibajegyet: #{id}.', 'Du hast Ticket #{id} übernommen.'),
  others: words(
    'Ticket #{id} is assigned to {who}. Open it to take it over.',
    'A #{id} hibajegy felelőse {who}. Az átvételhez nyisd meg.',
    'Für Ticket #{id} ist {who} zuständig. Öffne es, um es zu übernehmen.',
  ),
}

const STATES: Readonly<Record<keyof typeof own.states, TicketState | undefined>> = {
  open: 'open',
  waiting: 'waiting for response',
  closed: 'closed',
  all: undefined,
}

/** The filters, kept in the address. A category that the reader does not work on counts as none, as does a customer without an id. */
const useFilters = (categories: readonly StaffCategory[], searchField: RefCallback<HTMLElement>) => {
  const [state, setState] = useAddressChoice('state', ['open', 'waiting', 'closed', 'all'])
  const [assignee, setAssignee] = useAddressChoice('assignee', ['all', 'nobody', 'me'])
  const [asked, setCategory] = useAddressText('category')
  const [opener, setOpener] = useAddressText('opener')
  const [typed, setTyped] = useAddressText('text')
  const text = useRested(typed).trim().slice(0, TICKET_BOUNDS.searched)
  const openerId = Id.safeParse(opener).data
  const categoryId = categories.find(({ id }) => id === asked)?.id
  const filter: QueueFilter = {
    status: STATES[state],
    categoryId,
    assignee: assignee === 'all' ? undefined : assignee,
    openerId,
    text: text === '' ? undefined : text,
  }
  const fields = (
    <div className="bakter-filters">
      <TextField type="search" label={own.search} value={typed} onChange={setTyped} field={searchField} />
      <ChoiceField
        label={common.state}
        value={state}
        onChange={(next) => setState(next as typeof state)}
        options={own.states}
      />
      <ChoiceField
        label={texts.assignee}
        value={assignee}
        onChange={(next) => setAssignee(next as typeof assignee)}
        options={own.assignees}
      />
      <ChoiceField
        label={texts.category}
        value={categoryId ?? ''}
        onChange={setCategory}
        options={Object.fromEntries(categories.map(({ id, name }) => [id, words(name, name, name)]))}
        withAll
      />
    </div>
  )
  return {
    filter,
    fields,
    isAnswered: state === 'open' && openerId === undefined && text === '',
    isFiltered: state !== 'open' || assignee !== 'all' || categoryId !== undefined || typed !== '',
    forgetOpener: () => setOpener(''),
    clear: () => {
      setState('open')
      setAssignee('all')
      setCategory('')
      setTyped('')
      setOpener('')
    },
  }
}

/** Takes tickets that nobody has; says why not, and what was done. */
const useTaking = (reload: () => Promise<unknown>) => {
  const { say } = useAdminLanguage()
  const { user } = useAuth()
  const [said, setSaid] = useState('')
  const take = async ({ id, identifier, admin }: QueuedTicket) => {
    const sentence = (text: typeof own.taken) => say(text).replace('{id}', identifier)
    if (user === null || user === undefined) return
    if (admin !== null && admin.id !== String(user.id))
      return setSaid(sentence(own.others).replace('{who}', () => admin.username || say(texts.erased)))
    const answer = await actAsAdmin('PUT /api/ticket/{id}/assignee', {
      id,
      input: { userId: String(user.id), seen: null },
    })
    await reload()
    setSaid(answer.ok ? sentence(own.taken) : answer.isUnknown ? say(common.unknown) : answer.message)
  }
  return { said, take: (ticket: QueuedTicket) => void take(ticket) }
}

/** Asks before a ticket of the queue is closed, or reopened if it is. A merged one is neither. */
const useEnding = (reload: () => Promise<unknown>) => {
  const userId = String(useAuth().user?.id ?? '')
  const [ticket, setTicket] = useState<QueuedTicket>()
  const dialog =
    ticket === undefined ? null : (
      <ConfirmDialog
        act={ticket.status === 'closed' ? 'reopen' : 'close'}
        view={{ ticket }}
        userId={userId}
        reload={reload}
        onClose={() => setTicket(undefined)}
      />
    )
  return { dialog, ask: (asked: QueuedTicket) => (asked.mergedInto === undefined ? setTicket(asked) : undefined) }
}

/** Says that the queue shows one customer alone, whose name its tickets have. */
const OfCustomer = ({
  tickets,
  forget,
}: {
  readonly tickets: readonly QueuedTicket[] | undefined
  readonly forget: () => void
}) => {
  const { say } = useAdminLanguage()
  const opener = tickets?.[0]?.opener
  const who = opener === undefined ? '–' : opener.username || say(texts.erased)
  return (
    <p className="bakter-said">
      {say(own.ofCustomer).replace('{who}', () => who)}{' '}
      <Button buttonStyle="secondary" size="small" margin={false} onClick={forget}>
        {say(own.ofAll)}
      </Button>
    </p>
  )
}

/** The tickets on which the reader works, the longest wait first. */
export const Queue = ({ categories }: { readonly categories: readonly StaffCategory[] }) => {
  const { say } = useAdminLanguage()
  const search = useRef<HTMLElement>(null)
  const { filter, fields, isAnswered, isFiltered, forgetOpener, clear } = useFilters(categories, (field) => {
    search.current = field
  })
  useQueueLink()
  const queue = useQueue(filter)
  const { said, take } = useTaking(queue.reload)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const ending = useEnding(queue.reload)
  const router = useRouter()
  const { tickets } = queue
  const empty = isAnswered && filter.assignee === undefined ? own.answered : own.none
  return (
    <NamedPage>
      <header className="bakter-queue-head">
        <h1>{say(texts.tickets)}</h1>
        <AsOf atMs={queue.atMs} isFailed={queue.isFailed && tickets !== undefined} />
        <Button buttonStyle="secondary" size="medium" className="bakter-keys-open" onClick={() => setHelpOpen(true)}>
          {say(own.keys)}
        </Button>
      </header>
      <TicketsTabs here="queue" />
      {fields}
      {filter.openerId === undefined ? null : <OfCustomer tickets={tickets} forget={forgetOpener} />}
      <p className="bakter-said" role="status">
        {said}
      </p>
      {tickets === undefined ? (
        queue.isFailed ? (
          <ReadFailure again={() => void queue.reload()} />
        ) : (
          <p className="bakter-note">{say(common.loading)}</p>
        )
      ) : tickets.length === 0 ? (
        <div className="bakter-note">
          <p>{say(categories.length === 0 ? own.noCategory : empty)}</p>
          {isFiltered ? (
            <Button
              buttonStyle="secondary"
              size="small"
              margin={false}
              onClick={() => {
                // The button leaves with the filters, and the focus would go to the top of the page.
                search.current?.focus()
                clear()
              }}
            >
              {say(own.clear)}
            </Button>
          ) : null}
        </div>
      ) : (
        <QueueRows
          {...queue}
          tickets={tickets}
          take={take}
          end={ending.ask}
          reply={({ id }, from) => router.push(writingPath(id, from))}
          help={() => setHelpOpen(true)}
          find={() => search.current?.focus()}
        />
      )}
      {ending.dialog}
      {isHelpOpen ? <KeysDialog title={own.keys} onClose={() => setHelpOpen(false)} /> : null}
    </NamedPage>
  )
}
