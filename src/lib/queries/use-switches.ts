'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Switches } from '#contracts/http/switches.ts'
import { api } from '../browser-client/browser-client.ts'
import { meQuery } from './queries.ts'

/** The switches of staff. */
export const switchesQuery = () =>
  queryOptions({
    queryKey: ['switches'],
    queryFn: ({ signal }) => api.call('/api/switches', { schema: Switches, signal }),
    staleTime: 15_000,
    refetchInterval: 60_000,
  })

/** Whether staff have switched this off. Unknown counts as allowed, because the call itself refuses. */
export const useIsOff = (name: keyof Switches): boolean => useQuery(switchesQuery()).data?.[name] === false

/** Whether starting servers is switched off for the reader; administrators are exempt. */
export const useIsStartOff = (): boolean => {
  const me = useQuery(meQuery()).data
  const isOff = useIsOff('serverStart')
  return isOff && me !== undefined && !me.role.some(({ isAdmin }) => isAdmin === 1)
}
