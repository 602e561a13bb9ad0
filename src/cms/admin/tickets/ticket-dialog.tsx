'use client'

import { toast } from '@payloadcms/ui'
import type { ComponentType } from 'react'
import type { TicketView } from '#contracts/http/ticket.ts'
import { words, type Words } from '../../fields/languages.ts'
import { ActDialog, type ActOutcome } from '../money/act-dialog.tsx'
import { actAsAdmin } from '../money/ask-admin.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { outcomeOf } from './act-outcome.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { MergeDialog } from './merge/merge-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { TicketDialogProps } from './ticket-dialog-props.ts'
import { texts } from './ticket-words.ts'

export type TicketAct = 'take over' | 'assign' | 'move' | 'merge' | 'close' | 'reopen' | 'delete'

type ConfirmProps = Omit<TicketDialogProps, 'view' | 'categories'> & { readonly view: Pick<TicketView, 'ticket'> }

type Confirmed = {
  readonly title: Words
  readonly text: Words
  readonly confirm: Words
  readonly done: Words
  readonly act: (props: ConfirmProps) => Promise<ActOutcome>
}

const confirmed = {
  'take over': {
    title: words('Take over this ticket?', 'Átveszed ezt a hibajegyet?', 'Dieses Ticket übernehmen?'),
    text: words('It is assigned to {who}.', 'A felelőse jelenleg {who}.', 'Zuständig ist {who}.'),
    confirm: words('Take over', 'Átveszem', 'Übernehmen'),
    done: words('The ticket is assigned to you.', 'Te vagy a hibajegy felelőse.', 'Du bist für das Ticket zuständig.'),
    act: async ({ view, userId }: ConfirmProps) =>
      outcomeOf(
        await actAsAdmin('PUT /api/ticket/{id}/assignee', {
          id: view.ticket.id,
          input: { userId, seen: view.ticket.admin?.id ?? null },
        }),
      ),
  },
  close: {
    title: words('Close this ticket?', 'Lezárod ezt a hibajegyet?', 'Dieses Ticket schließen?'),
    text: words(
      'The customer can reopen it for 30 days.',
      'Az ügyfél 30 napig újranyithatja.',
      'Der Kunde kann es 30 Tage lang wieder öffnen.',
    ),
    confirm: words('Close ticket', 'Lezárás', 'Ticket schließen'),
    done: words('The ticket is closed.', 'A hibajegy lezárva.', 'Das Ticket ist geschlossen.'),
    act: async ({ view }: ConfirmProps) =>
      outcomeOf(await actAsAdmin('POST /api/ticket/{id}/close', { id: view.ticket.id }), 'TICKET_CLOSED'),
  },
  reopen: {
    title: words('Reopen this ticket?', 'Újranyitod ezt a hibajegyet?', 'Dieses Ticket wieder öffnen?'),
    text: words(
      'You and the customer can write in it again.',
      'Újra írhattok bele, te is és az ügyfél is.',
      'Du und der Kunde könnt wieder darin schreiben.',
    ),
    confirm: words('Reopen ticket', 'Újranyitás', 'Ticket wieder öffnen'),
    done: words('The ticket is open again.', 'A hibajegy újra nyitva van.', 'Das Ticket ist wieder offen.'),
    act: async ({ view }: ConfirmProps) =>
      outcomeOf(await actAsAdmin('POST /api/ticket/{id}/reopen', { id: view.ticket.id }), 'TICKET_NOT_CLOSED'),
  },
} satisfies Readonly<Partial<Record<TicketAct, Confirmed>>>

/** Asks before an act that needs no choice; the queue has it too. */
export const ConfirmDialog = ({ act, ...props }: ConfirmProps & { readonly act: keyof typeof confirmed }) => {
  const asked: Confirmed = confirmed[act]
  const { say } = useAdminLanguage()
  const { view, reload, onClose } = props
  const who = view.ticket.admin?.username || say(texts.erased)
  const confirm = async () => {
    const refused = await asked.act(props)
    await reload()
    if (refused === undefined) toast.success(say(asked.done))
    return refused
  }
  return (
    <ActDialog title={say(asked.title)} confirm={say(asked.confirm)} onConfirm={confirm} onClose={onClose}>
      <p>{say(asked.text).replace('{who}', () => who)}</p>
    </ActDialog>
  )
}

const dialogs: Readonly<Record<Exclude<TicketAct, keyof typeof confirmed>, ComponentType<TicketDialogProps>>> = {
  assign: AssignDialog,
  move: MoveDialog,
  merge: MergeDialog,
  delete: DeleteDialog,
}

/** The dialog of an act. */
export const TicketDialog = ({ act, ...props }: TicketDialogProps & { readonly act: TicketAct }) => {
  if (act === 'take over' || act === 'close' || act === 'reopen') return <ConfirmDialog {...props} act={act} />
  const Dialog = dialogs[act]
  return <Dialog {...props} />
}
