'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type { ServerActivity, ServerActivityFilter, ServerActivityPage } from '#contracts/http/panel/server-activity.ts'
import { activityLogKey, activityLogQuery, NEW_ENTRIES, newActivitiesQuery } from './activity-queries.ts'

type Log = Pick<InfiniteData<ServerActivityPage>, 'pages'>

/** Entries that the log does not have yet. Those in the middle of it arrived late: they are found by a later visit. */
export const newerThan = (log: Log | undefined, newest: readonly ServerActivity[]): ServerActivity[] => {
  const [first] = log?.pages ?? []
  if (first === undefined) return []
  const known = new Set(log?.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const [top] = first.items
  return newest.filter(({ id, date }) => !known.has(id) && (top === undefined || date >= top.date))
}

/** The new entries of an open log: they wait until the reader asks for them, so that nothing moves under the pointer. */
export const useNewEntries = (serverId: string, filter: ServerActivityFilter, log: Log | undefined) => {
  const client = useQueryClient()
  const query = useQuery({ ...newActivitiesQuery(serverId, filter), enabled: log !== undefined })
  const fresh = newerThan(log, query.data?.items ?? [])
  const show = () => {
    if (fresh.length >= NEW_ENTRIES) {
      void client.resetQueries({ queryKey: activityLogKey(serverId, filter), exact: true })
      return
    }
    const people = query.data?.people ?? []
    client.setQueryData(activityLogQuery(serverId, filter).queryKey, (known) => {
      const [first, ...rest] = known?.pages ?? []
      if (known === undefined || first === undefined) return known
      return { ...known, pages: [{ ...first, people, items: [...fresh, ...first.items] }, ...rest] }
    })
  }
  return { count: fresh.length, show }
}
