'use client'
import { queryOptions } from '@tanstack/react-query'
import { TicketList } from '#contracts/http/desk/ticket-entity.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/** So many tickets make a page of their list. */
export const TICKETS_PAGE = 25
/** Tickets that could not be read are read again after so long. */
export const HEAL_TICKETS_EVERY_MS = 10_000

export const healTickets = ({ state }: { state: { status: string } }): number | false =>
  state.status === 'error' ? HEAL_TICKETS_EVERY_MS : false

/** The tickets that moved last, at most one page of them, whatever the list of tickets has read besides. */
export const newestTicketsQuery = () =>
  queryOptions({
    queryKey: [...keys.tickets, 'newest'],
    queryFn: ({ signal }) => api.call(`/api/ticket/all?limit=${TICKETS_PAGE}`, { schema: TicketList, signal }),
    staleTime: 15_000,
    refetchInterval: healTickets,
  })
