'use client'
import { queryOptions } from '@tanstack/react-query'
import { InvitationList } from '#contracts/http/panel/collaborators.ts'
import { api } from '../browser-client/browser-client.ts'

const HEAL_EVERY_MS = 10_000

/** The servers that others want to share with the reader. */
export const invitationsQuery = () =>
  queryOptions({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => api.call('/api/user/invitations', { schema: InvitationList, signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.status === 'error' ? HEAL_EVERY_MS : false),
  })
