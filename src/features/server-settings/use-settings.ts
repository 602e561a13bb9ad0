import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import type { IdentityChange, OperationChange } from '#contracts/http/panel/server-settings.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { keys } from '@/lib/queries/queries.ts'

const pathOf = (serverId: string, part = '') => `/api/server/${encodeURIComponent(serverId)}/settings${part}`

/** Name, description and operation of a server. */
export const settingsQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'settings'],
    queryFn: ({ signal }) => api.call(pathOf(serverId), { schema: ServerSettings, signal }),
    staleTime: 5_000,
  })

type Changes = { readonly identity: IdentityChange; readonly operation: OperationChange }

/** Saves one part of the settings; the answer is what is saved now. */
export const useChangeSettings = <Part extends keyof Changes>(serverId: string, part: Part) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes[Part]) =>
      api.call(pathOf(serverId, `/${part}`), { method: 'PUT', body, schema: ServerSettings }),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery(serverId).queryKey, settings)
      if (part === 'identity') void client.invalidateQueries({ queryKey: keys.servers })
      void client.invalidateQueries({ queryKey: keys.server(serverId), exact: true })
    },
    onError: (failure) => {
      if (isClash(failure)) void client.invalidateQueries({ queryKey: settingsQuery(serverId).queryKey })
    },
  })
}

/** Whether somebody else saved these settings since the page showed them. */
export const isClash = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === 'SETTINGS_CHANGED'
