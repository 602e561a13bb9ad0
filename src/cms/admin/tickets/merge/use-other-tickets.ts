'use client'

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { useRested } from '@/ui/screen/use-rested.ts'
import { adminQueries } from '../../money/admin-queries.ts'
import { askAdmin } from '../../money/ask-admin.ts'

const PAGE = 20

/** The tickets of the same customer that can take this one, as far as the reader works on them: those that match what was typed, page by page. */
export const useOtherTickets = ({ id, opener }: Ticket, typed: string) => {
  // People type a number as they read it.
  const text = useRested(typed.trim().replace(/^#/, ''))
  const query = useInfiniteQuery(
    {
      queryKey: ['admin', 'tickets to merge', opener.id, id, text],
      queryFn: async ({ pageParam }) => {
        const answer = await askAdmin('GET /api/ticket/queue', {
          query: { openerId: opener.id, text, limit: PAGE, before: pageParam },
        })
        if (!answer.ok) throw new Error('The tickets of the customer could not be read')
        return answer.body
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)?.id : undefined),
      placeholderData: keepPreviousData,
    },
    adminQueries,
  )
  const { data, isError, hasNextPage, isFetchingNextPage } = query
  // A ticket that moves between the reads of two pages may stand on both.
  const all = data && [...new Map(data.pages.flat().map((each) => [each.id, each])).values()]
  return {
    tickets: all?.filter((each) => each.id !== id && each.mergedInto === undefined),
    isError,
    again: () => void query.refetch(),
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    more: () => query.fetchNextPage(),
  }
}
