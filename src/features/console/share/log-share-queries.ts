import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { LogShareCreated, LogShareList, type LogShareRequest } from '#contracts/http/panel/log-share.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

const pathOf = (serverId: string): string => `/api/server/${encodeURIComponent(serverId)}/log-shares`
const keyOf = (serverId: string) => [...keys.server(serverId), 'log-shares'] as const

export const logSharesQuery = (serverId: string) =>
  queryOptions({
    queryKey: keyOf(serverId),
    queryFn: ({ signal }) => api.call(pathOf(serverId), { schema: LogShareList, signal }),
  })

export const useCreateLogShare = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LogShareRequest) =>
      api.call(pathOf(serverId), { method: 'POST', body, schema: LogShareCreated }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(serverId) }),
  })
}

export const useEndLogShare = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (shareId: string) => api.call(`${pathOf(serverId)}/${shareId}`, { method: 'DELETE', schema: Nothing }),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(serverId) }),
  })
}
