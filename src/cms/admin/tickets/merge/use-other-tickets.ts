'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Ticket } from '#contracts/http/ticket.ts'
import { useRested } from '@/ui/screen/use-rested.ts'
import { adminQueries } from '../../money/admin-queries.ts'
import { askAdmin } from '../../money/ask-admin.ts'

const MOST = 20

/** The tickets of the same customer that can take this one, as far as the reader works on them; the newest that match what was typed. */
export const useOtherTickets = ({ id, opener }: Ticket, typed: string) => {
  // People type a number as they read it.
  const text = useRested(typed.trim().replace(/^#/, ''))
  return useQuery(
    {
      queryKey: ['admin', 'tickets to merge', opener.id, id, text],
      queryFn: async () => {
        const answer = await askAdmin('GET /api/ticket/queue', { query: { openerId: opener.id, text, limit: MOST } })
        if (!answer.ok) throw new Error('The tickets of the customer could not be read')
        return answer.body.filter((each) => each.id !== id && each.mergedInto === undefined)
      },
      placeholderData: keepPreviousData,
    },
    adminQueries,
  )
}
