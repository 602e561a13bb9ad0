'use client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { Activity } from '#contracts/http/notification.ts'
import { SessionList } from '#contracts/http/session.ts'
import { api } from '../browser-client/browser-client.ts'

const PAGE = 50
const ActivityPage = z.array(Activity)

/** The security log in pages. */
export const activitiesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['activities'],
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`
      return api.call(`/api/user/activities?limit=${PAGE}${before}`, { schema: ActivityPage, signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < PAGE ? null : (last.at(-1)?.id ?? null)),
    staleTime: 15_000,
  })

/** The sessions of the account. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.call('/api/user/sessions', { schema: SessionList, signal }),
    staleTime: 15_000,
  })
