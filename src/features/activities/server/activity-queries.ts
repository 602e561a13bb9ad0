'use client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ServerActivityPage } from '#contracts/http/panel/server-activity.ts'
import type { ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

const PAGE = 50
/** More new entries than these are loaded as a new first page. */
export const NEW_ENTRIES = 20
const LOOK_EVERY_MS = 10_000

const addressOf = (
  serverId: string,
  filter: ServerActivityFilter,
  page: { limit: number; before?: string },
): string => {
  const query = new URLSearchParams({ limit: String(page.limit) })
  for (const [name, value] of Object.entries({ ...filter, before: page.before })) {
    if (value !== undefined) query.set(name, value)
  }
  return `/api/server/${encodeURIComponent(serverId)}/activities?${query.toString()}`
}

export const activityLogKey = (serverId: string, filter: ServerActivityFilter) =>
  [...keys.serverActivities(serverId), 'log', filter] as const

/** The activities of a server that match a filter, in pages. */
export const activityLogQuery = (serverId: string, filter: ServerActivityFilter) =>
  infiniteQueryOptions({
    queryKey: activityLogKey(serverId, filter),
    queryFn: ({ signal, pageParam }) =>
      api.call(addressOf(serverId, filter, { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) }), {
        schema: ServerActivityPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    // Further pages continue behind the first one: what is new is put in front of it instead, and a later visit reads anew.
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? LOOK_EVERY_MS : false),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The newest entries, looked at again while the page is open and when the server changes its state. */
export const newActivitiesQuery = (serverId: string, filter: ServerActivityFilter) =>
  queryOptions({
    queryKey: [...keys.newActivities(serverId), filter],
    queryFn: ({ signal }) =>
      api.call(addressOf(serverId, filter, { limit: NEW_ENTRIES }), { schema: ServerActivityPage, signal }),
    refetchInterval: LOOK_EVERY_MS,
    staleTime: 0,
  })
