import { queryOptions } from '@tanstack/react-query'
import { StartTimes } from '#contracts/http/panel/start-times.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/** The times of a server's starts. Nothing is kept: an answer is about the start that was under way. */
export const startTimesQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'starts'],
    queryFn: ({ signal }) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/starts`, { schema: StartTimes, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
