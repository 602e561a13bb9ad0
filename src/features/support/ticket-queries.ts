'use client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type * as z from 'zod'
import { TicketList } from '#contracts/http/desk/ticket-entity.ts'
import { TicketCategories, TicketView } from '#contracts/http/ticket.ts'
import { sentServerQuery } from '#domain/tickets/sent-server.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { keys } from '@/lib/queries/queries.ts'
import { HEAL_TICKETS_EVERY_MS, healTickets, TICKETS_PAGE } from './newest-tickets-query.ts'
import { withNewest } from './ticket/ticket-lines.ts'

type Shown = InfiniteData<z.infer<typeof TicketList>, string | null>

/** The reader's tickets in pages, the last moved first; those in which words stand, if there are any. Rows stay while the words change. */
export const ticketsQuery = (status: TicketState | undefined, text: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.tickets, status ?? 'all', text],
    placeholderData: (shown: Shown | undefined, earlier?: { readonly queryKey: readonly string[] }) =>
      earlier?.queryKey.at(-2) === (status ?? 'all') ? shown : undefined,
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({
        limit: String(TICKETS_PAGE),
        ...(status === undefined ? {} : { status }),
        ...(text === '' ? {} : { text }),
        ...(pageParam === null ? {} : { before: pageParam }),
      })
      return api.call(`/api/ticket/all?${query}`, { schema: TicketList, signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < TICKETS_PAGE ? null : (last.at(-1)?.id ?? null)),
    staleTime: 15_000,
    refetchInterval: healTickets,
  })

export const ticketPath = (id: string) => `/api/ticket/${encodeURIComponent(id)}` as const

/** Whether a failure says that there is no such ticket for this reader. */
export const isNoTicket = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 404 || failure.status === 400)

/** A ticket with all its lines that were read so far: the newest ones are put behind those that the page has. */
export const ticketQuery = (id: string) =>
  queryOptions({
    queryKey: keys.ticket(id),
    queryFn: async ({ client, signal }) => {
      const known = () => client.getQueryData<TicketView>(keys.ticket(id))
      const query = new URLSearchParams(sentServerQuery(known()))
      const newest = await api.call(`${ticketPath(id)}${query.size === 0 ? '' : `?${query}`}`, {
        schema: TicketView,
        signal,
      })
      return withNewest(known(), newest)
    },
    staleTime: 15_000,
    retry: (count, failure) => !isNoTicket(failure) && count < 2,
    refetchInterval: ({ state }) =>
      state.status === 'error' && !isNoTicket(state.error) ? HEAL_TICKETS_EVERY_MS : false,
  })

/** The categories in which a ticket can be opened. */
export const ticketCategoriesQuery = () =>
  queryOptions({
    queryKey: ['ticket-categories'],
    queryFn: ({ signal }) => api.call('/api/ticket/categories', { schema: TicketCategories, signal }),
    staleTime: 60_000,
    refetchInterval: healTickets,
  })
