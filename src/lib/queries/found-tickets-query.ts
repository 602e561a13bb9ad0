import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { isBuilt } from '#contracts/features.ts'
import { TicketList } from '#contracts/http/desk/ticket-entity.ts'
import { api } from '../browser-client/browser-client.ts'
import { keys } from './queries.ts'

/** More than anybody chooses from; whoever looks for an older ticket types more of it. */
const SHOWN = 20

/** The person's tickets with this in their title or newest message; those of the last text stay until the answer is there. */
export const foundTicketsQuery = (input: string) => {
  const wanted = input.trim().slice(0, 200)
  const query = new URLSearchParams({ find: wanted, limit: String(SHOWN) })
  return queryOptions({
    queryKey: [...keys.foundTickets, wanted],
    queryFn: ({ signal }) => api.call(`/api/ticket/all?${query.toString()}`, { schema: TicketList, signal }),
    enabled: isBuilt('tickets') && wanted !== '',
    staleTime: 15_000,
    placeholderData: keepPreviousData,
  })
}
