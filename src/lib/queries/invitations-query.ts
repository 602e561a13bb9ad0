'use client'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { ServerInvitation } from '#contracts/http/collaborators.ts'
import { api } from '../browser-client/browser-client.ts'

/** The servers that others want to share with the reader. */
export const invitationsQuery = () =>
  queryOptions({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => api.call('/api/user/invitations', { schema: z.array(ServerInvitation), signal }),
    staleTime: 60_000,
  })
