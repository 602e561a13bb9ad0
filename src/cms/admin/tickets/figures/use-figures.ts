'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FigureDays } from '#domain/tickets/ticket-figures.ts'
import { adminQueries } from '../../money/admin-queries.ts'
import { askAdmin } from '../../money/ask-admin.ts'

const EVERY_MS = 60_000

/** The figures of some days, which are read again by themselves. Those of the days before stay, marked as old, until others are read. */
export const useFigures = (days: FigureDays) => {
  const query = useQuery(
    {
      queryKey: ['admin', 'ticket figures', days],
      queryFn: async () => {
        const answer = await askAdmin('GET /api/ticket/figures', { query: { days } })
        if (!answer.ok) throw new Error('The figures could not be read')
        return answer.body
      },
      placeholderData: keepPreviousData,
      refetchInterval: EVERY_MS,
    },
    adminQueries,
  )
  const { data, dataUpdatedAt: atMs, isError, isPlaceholderData: isOld, refetch } = query
  return { figures: data, atMs, isOld, isFailed: isError, reload: () => void refetch() }
}
