'use client'

import { Button, toast, useAuth } from '@payloadcms/ui'
import { useState } from 'react'
import type { TicketView } from '#contracts/http/ticket.ts'
import { words, type Words } from '../../fields/languages.ts'
import { actAsAdmin } from '../money/ask-admin.ts'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import type { StaffCategory } from './staff-categories.ts'
import { TicketDialog, type TicketAct } from './ticket-dialog.tsx'
import { texts } from './ticket-words.ts'

const own = {
  label: words('Actions', 'Műveletek', 'Aktionen'),
  takeOver: words('Take over…', 'Átveszem…', 'Übernehmen…'),
  drop: words('Unassign', 'Felelős levétele', 'Zuweisung aufheben'),
  assign: words('Assign…', 'Hozzárendelés…', 'Zuweisen…'),
  move: words('Move…', 'Áthelyezés…', 'Verschieben…'),
  merge: words('Merge…', 'Összevonás…', 'Zusammenführen…'),
  close: words('Close…', 'Lezárás…', 'Schließen…'),
  reopen: words('Reopen…', 'Újranyitás…', 'Wieder öffnen…'),
  remove: words('Delete…', 'Törlés…', 'Löschen…'),
  taken: words('The ticket is assigned to you.', 'Te vagy a hibajegy felelőse.', 'Du bist für das Ticket zuständig.'),
  dropped: words('The ticket is unassigned.', 'A hibajegynek nincs felelőse.', 'Das Ticket ist nicht mehr zugewiesen.'),
}

type Props = {
  readonly view: TicketView
  readonly categories: readonly StaffCategory[]
  readonly isAdmin: boolean
  readonly reload: () => Promise<unknown>
}

/** The acts of staff on a ticket besides writing in it. */
export const TicketActs = (props: Props) => {
  const { isAdmin, reload } = props
  const { ticket, canReopen } = props.view
  const { say } = useAdminLanguage()
  const userId = String(useAuth().user?.id ?? '')
  const [act, setAct] = useState<TicketAct | null>(null)
  const give = async (to: string | null, done: Words) => {
    const answer = await actAsAdmin('PUT /api/ticket/{id}/assignee', {
      id: ticket.id,
      input: { userId: to, seen: ticket.admin?.id ?? null },
    })
    await reload()
    if (answer.ok) toast.success(say(done))
    else toast.error(answer.isUnknown ? say(common.unknown) : answer.message)
  }
  const isMine = ticket.admin?.id === userId
  const isClosed = ticket.status === 'closed'
  // Staff can only delete a merged ticket.
  const isMerged = ticket.mergedInto !== undefined
  const button = (name: Words, onClick: () => void) => (
    <Button buttonStyle="secondary" size="medium" margin={false} onClick={onClick}>
      {say(name)}
    </Button>
  )
  return (
    <div role="group" aria-label={say(own.label)} className="bakter-ways">
      {isMerged ? null : (
        <>
          {ticket.admin === null ? button(texts.take, () => void give(userId, own.taken)) : null}
          {ticket.admin !== null && !isMine ? button(own.takeOver, () => setAct('take over')) : null}
          {isMine ? button(own.drop, () => void give(null, own.dropped)) : null}
          {button(own.assign, () => setAct('assign'))}
          {button(own.move, () => setAct('move'))}
          {button(own.merge, () => setAct('merge'))}
          {isClosed ? null : button(own.close, () => setAct('close'))}
          {isClosed && canReopen ? button(own.reopen, () => setAct('reopen')) : null}
        </>
      )}
      {isAdmin ? button(own.remove, () => setAct('delete')) : null}
      {act === null ? null : <TicketDialog {...props} act={act} userId={userId} onClose={() => setAct(null)} />}
    </div>
  )
}
