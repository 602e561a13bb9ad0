'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { meQuery } from '@/lib/queries/queries.ts'
import { switchesQuery } from '@/lib/queries/use-switches.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { Skeleton } from '@/ui/surfaces/states.tsx'
import { useTogether } from '@/ui/surfaces/together.tsx'
import { BackToTickets } from './back-to-tickets.tsx'
import { isNoTicket, ticketQuery } from './ticket-queries.ts'
import { TicketSkeleton } from './ticket/ticket-skeleton.tsx'
import { TicketBody } from './ticket/ticket-body.tsx'
import './support.css'

/** One ticket. `unknown` is the page of an address that leads nowhere: a ticket of somebody else is none. */
export const TicketPage = ({ id, unknown }: { id: string; unknown: ReactNode }) => {
  const t = useTranslations('tickets')
  const query = useQuery(ticketQuery(id))
  const switches = useQuery(switchesQuery())
  const me = useQuery(meQuery())
  const phase = useTogether(query, switches, me)
  if (isNoTicket(query.error)) return unknown
  const isReady = phase === 'ready'
  return (
    <div className="page tk-page">
      {isReady && query.data !== undefined && me.data !== undefined ? (
        <TicketBody key={id} view={query.data} readerId={me.data.id} isOff={switches.data?.tickets === false} />
      ) : (
        <>
          <header className="page-h">
            <div>
              <BackToTickets />
              <h1>{t('one')}</h1>
              <p className="tk-facts" aria-hidden="true">
                <Skeleton width="240px" height={14} className="my-[5px]" />
              </p>
            </div>
          </header>
          <Region
            query={isReady ? query : { ...query, data: undefined, isError: false }}
            skeleton={<TicketSkeleton />}
            failed={t('ticketFailed')}
          >
            {() => <TicketSkeleton />}
          </Region>
        </>
      )}
    </div>
  )
}
