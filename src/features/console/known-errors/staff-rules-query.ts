import { queryOptions } from '@tanstack/react-query'
import { StaffKnownErrors } from '#contracts/http/panel/known-errors.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/** Staff's rules for a server. A page that stays open asks for new ones; the built-in rules need no answer. */
export const staffRulesQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'known-errors'],
    queryFn: ({ signal }) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/known-errors`, { schema: StaffKnownErrors, signal }),
    staleTime: 15_000,
    refetchInterval: 60_000,
    retry: false,
  })
