'use client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Collaborator, CollaboratorList, SharingRoom } from '#contracts/http/panel/collaborators.ts'
import type { CollaboratorChange, CollaboratorInvite } from '#contracts/http/panel/collaborators.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}`
const peopleKey = (serverId: string) => [...keys.server(serverId), 'people']
const roomKey = (serverId: string) => [...keys.server(serverId), 'room']

export const peopleQuery = (serverId: string) =>
  queryOptions({
    queryKey: peopleKey(serverId),
    queryFn: ({ signal }) => api.call(pathOf(serverId, 'users'), { schema: CollaboratorList, signal }),
    staleTime: 15_000,
    retry: false,
  })

export const roomQuery = (serverId: string) =>
  queryOptions({
    queryKey: roomKey(serverId),
    queryFn: ({ signal }) => api.call(pathOf(serverId, 'sharing'), { schema: SharingRoom, signal }),
    staleTime: 15_000,
    retry: false,
  })

/** Reads again what a change of the people may have changed, after a refusal too: somebody else may have changed it. */
const useRefresh = (serverId: string) => {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: peopleKey(serverId) }),
      client.invalidateQueries({ queryKey: roomKey(serverId) }),
      client.invalidateQueries({ queryKey: keys.server(serverId), exact: true }),
    ])
}

/** The changes of a server's people. Each resolves once the list shows it. */
export const useSharing = (serverId: string) => {
  const onSettled = useRefresh(serverId)
  const path = (userId: string) => pathOf(serverId, `users/${encodeURIComponent(userId)}`)
  return {
    invite: useMutation({
      mutationFn: (body: CollaboratorInvite) =>
        api.call(pathOf(serverId, 'users'), { method: 'POST', body, schema: Collaborator }),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ userId, ...body }: CollaboratorChange & { userId: string }) =>
        api.call(path(userId), { method: 'PUT', body, schema: Collaborator }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (userId: string) => api.call(path(userId), { method: 'DELETE', schema: Nothing }),
      onSettled,
    }),
  }
}
export type Sharing = ReturnType<typeof useSharing>

/** Gives up one's own share, after which the server is no longer there for the reader. */
export const useLeave = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) =>
      api.call(pathOf(serverId, `users/${encodeURIComponent(userId)}`), { method: 'DELETE', schema: Nothing }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.servers }),
  })
}
