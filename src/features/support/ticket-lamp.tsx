'use client'
import { useTranslations } from 'next-intl'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

const LAMPS: Readonly<Record<TicketState, LampKind>> = { open: 'go', 'waiting for response': 'due', closed: 'off' }

/** State -> its name in addresses and in the catalog. */
export const STATUS_NAMES = { open: 'open', 'waiting for response': 'waiting', closed: 'closed' } as const

/** The state of a ticket as shape and word. A merged one is not called closed: it goes on in the ticket that is named. */
export const TicketLamp = ({ ticket: { status, mergedInto } }: { ticket: Pick<Ticket, 'status' | 'mergedInto'> }) => {
  const t = useTranslations('tickets')
  if (mergedInto !== undefined)
    return (
      <Lamp kind="joined" quiet>
        {t('merged.fact', { number: mergedInto.identifier })}
      </Lamp>
    )
  return (
    <Lamp kind={LAMPS[status]} quiet={status === 'closed'}>
      {t(`status.${STATUS_NAMES[status]}`)}
    </Lamp>
  )
}
