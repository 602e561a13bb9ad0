'use client'

import { toast } from '@payloadcms/ui'
import { useState } from 'react'
import { words } from '../../fields/languages.ts'
import { ActDialog } from '../money/act-dialog.tsx'
import { actAsAdmin } from '../money/ask-admin.ts'
import { ChoiceField } from '../money/fields.tsx'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { outcomeOf } from './act-outcome.ts'
import type { TicketDialogProps } from './ticket-dialog-props.ts'
import { texts } from './ticket-words.ts'
import { useColleagues } from './use-colleagues.ts'

const own = {
  title: words('Assign this ticket', 'Hibajegy hozzárendelése', 'Ticket zuweisen'),
  act: words('Assign', 'Hozzárendelés', 'Zuweisen'),
  done: words('The ticket is assigned.', 'A hibajegy hozzárendelve.', 'Das Ticket ist zugewiesen.'),
  foreign: words(
    "This person doesn't work on tickets in {category}, or opened the ticket. Choose someone else.",
    'Ő nem foglalkozik ilyen kategóriájú hibajegyekkel ({category}), vagy ő nyitotta meg. Válassz mást.',
    'Diese Person bearbeitet keine Tickets in {category} oder hat das Ticket geöffnet. Wähle jemand anderen.',
  ),
}

/** Gives a ticket to somebody who works on its category, or to nobody. */
export const AssignDialog = ({ view: { ticket }, reload, onClose }: TicketDialogProps) => {
  const { say } = useAdminLanguage()
  const staff = useColleagues(ticket.id)
  // The page reads the ticket again under the dialog: whoever takes it meanwhile was not seen here.
  const [seen] = useState(ticket.admin?.id ?? null)
  const [to, setTo] = useState(seen ?? '')
  // Somebody who no longer works on the category can't be chosen.
  const chosen = staff.data?.some(({ id }) => id === to) ? to : ''
  const confirm = async () => {
    const input = { userId: chosen === '' ? null : chosen, seen }
    const answer = await actAsAdmin('PUT /api/ticket/{id}/assignee', { id: ticket.id, input })
    await reload()
    if (answer.ok) toast.success(say(own.done))
    else if (answer.code === 'VALIDATION') return say(own.foreign).replace('{category}', () => ticket.category)
    return outcomeOf(answer)
  }
  return (
    <ActDialog title={say(own.title)} confirm={say(own.act)} onConfirm={confirm} onClose={onClose}>
      {staff.isError ? <ReadFailure again={() => void staff.refetch()} /> : null}
      {staff.data === undefined ? (
        <p role="status">{staff.isError ? null : say(common.loading)}</p>
      ) : (
        <ChoiceField
          label={texts.assignee}
          value={chosen}
          onChange={setTo}
          options={{
            '': texts.nobody,
            ...Object.fromEntries(staff.data.map(({ id, username }) => [id, words(username, username, username)])),
          }}
        />
      )}
    </ActDialog>
  )
}
