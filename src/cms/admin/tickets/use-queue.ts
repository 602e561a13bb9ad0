'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { openLink } from '@/lib/realtime/open-link.ts'
import { adminQueries } from '../money/admin-queries.ts'
import { askAdmin } from '../money/ask-admin.ts'

const PAGE = 50
const EVERY_MS = 15_000
/** The queue is read once for many changes in a row. */
const AFTER_CHANGE_MS = 1_000

export type QueueFilter = {
  readonly status: TicketState | undefined
  readonly categoryId: string | undefined
  readonly assignee: 'me' | 'nobody' | undefined
  readonly openerId: string | undefined
  /** Words in titles, numbers and messages. */
  readonly text: string | undefined
}

/** A ticket that moves between the reads of two pages may stand on both. */
const once = (tickets: readonly QueuedTicket[]): readonly QueuedTicket[] => [
  ...new Map(tickets.map((ticket) => [ticket.id, ticket])).values(),
]

/** Filters without what is typed: rows stay while the words change, and no others are shown as if they fitted other filters. */
const besideText = ({ text: _text, ...others }: QueueFilter): string => JSON.stringify(others)

/** The realtime link of the queue: it is read again when a ticket of the reader's categories changes. */
export const useQueueLink = (): void => {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const { close } = openLink((message) => {
      if (message.event !== 'ticket.update') return
      waiting ??= setTimeout(() => {
        waiting = undefined
        void adminQueries.invalidateQueries({ queryKey: ['admin', 'ticket queue'] })
      }, AFTER_CHANGE_MS)
    })
    return () => {
      clearTimeout(waiting)
      close()
    }
  }, [])
}

/** The queue, as far as it was opened; it is read again by itself, and shown rows stay when that fails. */
export const useQueue = (filter: QueueFilter) => {
  const query = useInfiniteQuery(
    {
      queryKey: ['admin', 'ticket queue', filter] as const,
      queryFn: async ({ pageParam }) => {
        const answer = await askAdmin('GET /api/ticket/queue', { query: { ...filter, limit: PAGE, before: pageParam } })
        if (!answer.ok) throw new Error('The queue could not be read')
        return answer.body
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)?.id : undefined),
      refetchInterval: EVERY_MS,
      placeholderData: (shown, earlier) => {
        const [, , before] = earlier?.queryKey ?? []
        return before !== undefined && besideText(before) === besideText(filter) ? shown : undefined
      },
    },
    adminQueries,
  )
  const { data, dataUpdatedAt: atMs, isError, isFetching, isFetchingNextPage, isFetchNextPageError } = query
  return {
    tickets: data === undefined ? undefined : once(data.pages.flat()),
    atMs,
    isFailed: isError && !(isFetching && data === undefined),
    isMoreFailed: isFetchNextPageError,
    hasMore: query.hasNextPage,
    isLoadingMore: isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    reload: () => query.refetch(),
  }
}
