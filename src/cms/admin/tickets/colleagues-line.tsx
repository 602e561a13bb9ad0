'use client'

import { useEffect } from 'react'
import type { TicketSign } from '#domain/tickets/ticket-sign.ts'
import { openLink } from '@/lib/realtime/open-link.ts'
import { ticketSigns } from '@/lib/realtime/ticket-signs.ts'
import { useTicketSigns } from '@/lib/realtime/use-ticket-signs.ts'
import { words, type Words } from '../../fields/languages.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { texts } from './ticket-words.ts'
import { readAgain } from './use-ticket.ts'

const own: Readonly<Record<TicketSign, Words>> = {
  answering: words(
    '{who} has a reply to this ticket open.',
    '{who} épp ezen a hibajegyen dolgozik.',
    '{who} bearbeitet gerade dieses Ticket.',
  ),
  writing: words('{who} is writing…', '{who} épp ír…', '{who} schreibt…'),
  noting: words(
    '{who} is writing an internal note…',
    '{who} belső jegyzetet ír…',
    '{who} schreibt eine interne Notiz…',
  ),
}

/** The realtime link of a ticket's page in the admin: it tells who else is at work on the ticket, and when the ticket changes. */
export const useTicketLink = (ticketId: string): void => {
  useEffect(() => {
    const { link, close } = openLink((message) => {
      if (message.event === 'ticket.sign') ticketSigns.hear(message.data)
      if (message.event === 'ticket.update' && message.data.id === ticketId) void readAgain(ticketId)
    })
    const leaveSigns = ticketSigns.use((sign) => link.say(sign))
    return () => {
      leaveSigns()
      close()
    }
  }, [ticketId])
}

/** Names the colleagues who are at work on the ticket. The line keeps its place without any, so that nothing moves. */
export const ColleaguesLine = ({ ticketId }: { readonly ticketId: string }) => {
  const { say } = useAdminLanguage()
  const lines = useTicketSigns(ticketId).map(({ by, sign }) =>
    say(own[sign]).replace('{who}', () => by?.username || say(texts.erased)),
  )
  return (
    <p className="bakter-colleagues" role="status">
      {lines.join(' ')}
    </p>
  )
}
