'use client'

import { useQuery } from '@tanstack/react-query'
import { adminQueries } from '../money/admin-queries.ts'
import { askAdmin } from '../money/ask-admin.ts'

/** Those whom a ticket can be given to: they work on its category and did not open it. */
export const useColleagues = (ticketId: string) =>
  useQuery(
    {
      queryKey: ['admin', 'ticket colleagues', ticketId],
      queryFn: async () => {
        const answer = await askAdmin('GET /api/ticket/{id}/colleagues', { id: ticketId })
        if (!answer.ok) throw new Error('The colleagues could not be read')
        return answer.body
      },
    },
    adminQueries,
  )
