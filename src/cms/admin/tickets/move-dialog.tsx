'use client'

import { toast } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { words } from '../../fields/languages.ts'
import { ActDialog } from '../money/act-dialog.tsx'
import { actAsAdmin } from '../money/ask-admin.ts'
import { ChoiceField } from '../money/fields.tsx'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { TICKETS_PATH } from '../ticket-area.ts'
import { outcomeOf } from './act-outcome.ts'
import type { StaffCategory } from './staff-categories.ts'
import type { TicketDialogProps } from './ticket-dialog-props.ts'
import { texts } from './ticket-words.ts'

const own = {
  title: words('Move this ticket', 'Hibajegy áthelyezése', 'Ticket verschieben'),
  act: words('Move', 'Áthelyezés', 'Verschieben'),
  lost: words(
    "You don't work on tickets in {category}. After the move you can't open this ticket any more.",
    'Te nem foglalkozol ilyen kategóriájú hibajegyekkel: {category}. Az áthelyezés után már nem tudod megnyitni.',
    'Du bearbeitest keine Tickets in {category}. Nach dem Verschieben kannst du dieses Ticket nicht mehr öffnen.',
  ),
  unassigns: words(
    'An assignee who does not work in the new category is removed.',
    'Ha a felelős az új kategóriával nem foglalkozik, lekerül a hibajegyről.',
    'Wer in der neuen Kategorie nicht arbeitet, ist danach nicht mehr zuständig.',
  ),
  done: words(
    'The ticket is now in {category}.',
    'A hibajegy új kategóriája: {category}.',
    'Das Ticket ist jetzt in {category}.',
  ),
  alone: words(
    'There is no other active category.',
    'Nincs másik aktív kategória.',
    'Es gibt keine andere aktive Kategorie.',
  ),
}

const Choice = ({
  chosen,
  others,
  onChange,
}: {
  readonly chosen: StaffCategory
  readonly others: readonly StaffCategory[]
  readonly onChange: (id: string) => void
}) => {
  const { say } = useAdminLanguage()
  return (
    <>
      <ChoiceField
        label={texts.category}
        value={chosen.id}
        onChange={onChange}
        options={Object.fromEntries(others.map(({ id, name }) => [id, words(name, name, name)]))}
      />
      <p role="status">{chosen.isMine ? say(own.unassigns) : say(own.lost).replace('{category}', () => chosen.name)}</p>
    </>
  )
}

/** Moves a ticket to another category. Says before when its mover then sees it no more, and leads them back to the queue. */
export const MoveDialog = ({ view: { ticket }, categories, reload, onClose }: TicketDialogProps) => {
  const { say } = useAdminLanguage()
  const router = useRouter()
  const others = categories.filter(({ id, active }) => active && id !== ticket.categoryId)
  const [to, setTo] = useState(others[0]?.id)
  const chosen = others.find(({ id }) => id === to)
  const confirm = async () => {
    if (chosen === undefined) return say(own.alone)
    const answer = await actAsAdmin('PUT /api/ticket/{id}/category', {
      id: ticket.id,
      input: { categoryId: chosen.id },
    })
    // An attempt whose answer was lost has taken the ticket away from its mover.
    const refused = outcomeOf(answer, chosen.isMine ? undefined : 'NOT_FOUND')
    if (refused !== undefined) return refused
    toast.success(say(own.done).replace('{category}', () => chosen.name))
    if (chosen.isMine) await reload()
    else router.push(TICKETS_PATH)
    return undefined
  }
  return (
    <ActDialog title={say(own.title)} confirm={say(own.act)} onConfirm={confirm} onClose={onClose}>
      {chosen === undefined ? <p>{say(own.alone)}</p> : <Choice chosen={chosen} others={others} onChange={setTo} />}
    </ActDialog>
  )
}
