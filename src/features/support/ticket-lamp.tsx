'use client'
import { useTranslations } from 'next-intl'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

const LAMPS: Readonly<Record<TicketState, LampKind>> = { open: 'go', 'waiting for response': 'due', closed: 'off' }

/** State -> its name in addresses and in the catalog. */
export const STATUS_NAMES = { open: 'open', 'waiting for response': 'waiting', closed: 'closed' } as const

/** The state of a ticket as shape and word. */
export const TicketLamp = ({ status }: { status: TicketState }) => {
  const t = useTranslations('tickets.status')
  return (
    <Lamp kind={LAMPS[status]} quiet={status === 'closed'}>
      {t(STATUS_NAMES[status])}
    </Lamp>
  )
}
