'use client'

import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TicketView } from '#contracts/http/ticket.ts'
import { sentServerQuery, withSentServer } from '#domain/tickets/sent-server.ts'
import { adminQueries } from '../money/admin-queries.ts'
import { askAdmin } from '../money/ask-admin.ts'

const EVERY_MS = 5_000

type Pages = InfiniteData<TicketView | null, string | undefined>

const keyOf = (id: string) => ['admin', 'ticket', id] as const
/** The newest page that was read last. */
const knownPage = (id: string) => adminQueries.getQueryData<Pages>(keyOf(id))?.pages[0] ?? undefined

/** Null for a ticket that the reader does not see, or no more: it was deleted, or moved to a category of others. */
const readTicket = async (id: string, before: string | undefined): Promise<TicketView | null> => {
  const query = before === undefined ? sentServerQuery(knownPage(id)) : { before }
  const answer = await askAdmin('GET /api/ticket/{id}', { id, query })
  if (answer.ok) return before === undefined ? withSentServer(knownPage(id), answer.body) : answer.body
  if (answer.code === 'NOT_FOUND') return null
  throw new Error('The ticket could not be read')
}

/** Reads a shown ticket again now. */
export const readAgain = (id: string): Promise<void> => adminQueries.invalidateQueries({ queryKey: keyOf(id) })

/** A ticket with its messages, as far back as they were loaded; it is read again by itself. Shown ones stay when that fails. */
export const useTicket = (id: string) => {
  const query = useInfiniteQuery(
    {
      queryKey: keyOf(id),
      queryFn: ({ pageParam }) => readTicket(id, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => (page?.hasEarlier ? page.messages[0]?.id : undefined),
      refetchInterval: ({ state }) => (state.data?.pages.includes(null) ? false : EVERY_MS),
    },
    adminQueries,
  )
  const { data, dataUpdatedAt: atMs, isError, isFetching, isFetchingNextPage, isFetchNextPageError } = query
  return {
    view: data?.pages[0] ?? undefined,
    messages: data?.pages.toReversed().flatMap((page) => page?.messages ?? []) ?? [],
    atMs,
    isGone: data?.pages.includes(null) ?? false,
    isFailed: isError && !(isFetching && data === undefined),
    hasEarlier: query.hasNextPage,
    isLoadingEarlier: isFetchingNextPage,
    isEarlierFailed: isFetchNextPageError,
    loadEarlier: () => void query.fetchNextPage(),
    reload: () => query.refetch(),
  }
}

export type ShownTicket = ReturnType<typeof useTicket>

/** Notes that the reader has read everything, once for each newest message. A failure is repeated with the next one. */
export const useReadMark = (id: string, newestId: string | undefined): void => {
  useEffect(() => {
    if (newestId !== undefined) void askAdmin('POST /api/ticket/{id}/read', { id, input: { upTo: newestId } })
  }, [id, newestId])
}
