'use client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { SecretAnswer, ServerStartup } from '#contracts/http/panel/startup.ts'
import type { StartupChange, StartupImageChange } from '#contracts/http/panel/startup.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

const pathOf = (serverId: string, call = '') => `/api/server/${encodeURIComponent(serverId)}/startup${call}`

/** The start-up settings of a server. */
export const startupQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'startup'],
    queryFn: ({ signal }) => api.call(pathOf(serverId), { schema: ServerStartup, signal }),
    staleTime: 5_000,
    retry: false,
  })

/** Saves typed values; the answer is what is saved now. */
export const useChangeStartup = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StartupChange) => api.call(pathOf(serverId), { method: 'PUT', body, schema: ServerStartup }),
    onSuccess: (startup) => {
      client.setQueryData(startupQuery(serverId).queryKey, startup)
    },
  })
}

/** Chooses another image; the answer is what is saved now. */
export const useChangeImage = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StartupImageChange) =>
      api.call(pathOf(serverId, '/image'), { method: 'PUT', body, schema: ServerStartup }),
    onSuccess: (startup) => {
      client.setQueryData(startupQuery(serverId).queryKey, startup)
    },
    // Somebody else was faster: the choice is made again over what is saved now.
    onError: () => client.invalidateQueries({ queryKey: startupQuery(serverId).queryKey }),
  })
}

/** Reads one secret, which the activity log records. It is kept nowhere but in the field that shows it. */
export const useSecret = (serverId: string) =>
  useMutation({
    mutationFn: (variable: string) =>
      api.call(pathOf(serverId, '/secret'), { method: 'POST', body: { variable }, schema: SecretAnswer }),
    gcTime: 0,
  })
