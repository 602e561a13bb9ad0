import { queryOptions } from '@tanstack/react-query'
import { HostFigures, PlayerDays } from '#contracts/summary/figures.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

/** Nodes tell their counts, and the site counts its people, once a minute. */
const EVERY_MS = 60_000

/** The most players of each of the last seven days; a day begins at midnight in the reader's zone. */
export const playerDaysQuery = (timeZone: string | undefined) =>
  queryOptions({
    queryKey: ['player-days', timeZone ?? ''],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(timeZone === undefined ? {} : { timeZone })
      return api.call(`/api/stats/players?${query.toString()}`, { schema: PlayerDays, signal })
    },
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  })

export const hostFiguresQuery = () =>
  queryOptions({
    queryKey: ['host-figures'],
    queryFn: ({ signal }) => api.call('/api/stats/host', { schema: HostFigures, signal }),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  })
