'use client'

import { toast } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { words } from '../../fields/languages.ts'
import { ActDialog } from '../money/act-dialog.tsx'
import { actAsAdmin } from '../money/ask-admin.ts'
import { TextField } from '../money/fields.tsx'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { TICKETS_PATH } from '../ticket-area.ts'
import { outcomeOf } from './act-outcome.ts'
import type { TicketDialogProps } from './ticket-dialog-props.ts'

const own = {
  title: words(
    'Delete this ticket for good?',
    'Véglegesen törlöd ezt a hibajegyet?',
    'Dieses Ticket endgültig löschen?',
  ),
  text: words(
    'All messages and notes are deleted, for the customer too. Nobody can restore them.',
    'Az ügyfélnél is eltűnik minden üzenet és jegyzet. Senki sem tudja visszaállítani.',
    'Alle Nachrichten und Notizen werden gelöscht, auch beim Kunden. Niemand kann sie wiederherstellen.',
  ),
  typed: words('Type {id} to confirm', 'A megerősítéshez írd be: {id}', 'Gib zur Bestätigung {id} ein'),
  wrong: words('Type the ticket ID {id}.', 'Írd be a hibajegy azonosítóját: {id}.', 'Gib die Ticket-ID {id} ein.'),
  act: words('Delete for good', 'Végleges törlés', 'Endgültig löschen'),
  done: words('The ticket is deleted.', 'A hibajegy törölve.', 'Das Ticket ist gelöscht.'),
}

/** Deletes a ticket once its identifier was typed, and leads back to the queue. */
export const DeleteDialog = ({ view: { ticket }, onClose }: TicketDialogProps) => {
  const { say } = useAdminLanguage()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { id, identifier } = ticket
  const label = Object.entries(own.typed).map(([language, text]) => [language, text.replace('{id}', identifier)])
  const confirm = async () => {
    if (typed.trim().replace(/^#/, '').toLowerCase() !== identifier) return say(own.wrong).replace('{id}', identifier)
    const refused = outcomeOf(await actAsAdmin('DELETE /api/ticket/{id}', { id }), 'NOT_FOUND')
    if (refused !== undefined) return refused
    toast.success(say(own.done))
    router.push(TICKETS_PATH)
    return undefined
  }
  return (
    <ActDialog title={say(own.title)} confirm={say(own.act)} isDangerous onConfirm={confirm} onClose={onClose}>
      <p>
        <b>{ticket.title}</b>
      </p>
      <p>{say(own.text)}</p>
      <TextField label={Object.fromEntries(label)} value={typed} onChange={setTyped} />
    </ActDialog>
  )
}
