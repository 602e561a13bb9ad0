'use client'

import type { ReactNode } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { states, texts } from '../ticket-words.ts'

const SHAPES: Readonly<Record<TicketState | 'merged', ReactNode>> = {
  open: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  'waiting for response': <path d="M8 2 15 14H1z" fill="currentColor" />,
  closed: <circle cx="8" cy="8" r="5.5" />,
  merged: <path d="M2 3v3.5C2 8.4 3.4 9.5 5.2 9.5H14M10 5.5l4 4-4 4" />,
}

/** The state of a ticket as shape and word. A merged one is not called closed: it goes on in the ticket that is named. */
export const StateWord = ({ status, mergedInto }: Pick<Ticket, 'status' | 'mergedInto'>) => {
  const { say } = useAdminLanguage()
  const word = mergedInto === undefined ? say(states[status]) : say(texts.mergedInto)
  return (
    <span className="bakter-state">
      <svg viewBox="0 0 16 16" width="12" height="12" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
        {SHAPES[mergedInto === undefined ? status : 'merged']}
      </svg>
      {word.replace('{number}', () => mergedInto?.identifier ?? '')}
    </span>
  )
}
