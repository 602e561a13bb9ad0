import { queryOptions } from '@tanstack/react-query'
import { ServerPlayersList } from '#contracts/panel/players.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

/** Nodes tell their counts once a minute. */
const EVERY_MS = 60_000

/** The players on the reader's servers, by server. Read beside the list, which it does not hold up. */
export const playersQuery = () =>
  queryOptions({
    queryKey: ['player-counts'],
    queryFn: ({ signal }) => api.call('/api/user/player-counts', { schema: ServerPlayersList, signal }),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  })
