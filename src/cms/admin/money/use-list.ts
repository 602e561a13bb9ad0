'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { adminQueries } from './admin-queries.ts'

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }
/** Undefined if the page could not be read. */
type Read<Item> = (before: string | undefined) => Promise<Page<Item> | undefined>

export type ListState = 'loading' | 'ready' | 'failed'

/**
 * A list that grows page by page. `name` and `key` identify the data: a new key restarts, and late results of the old
 * one are dropped. `reload` refetches as many pages as are shown. Shown rows stay when a further page fails; `again`
 * retries it.
 */
export const useList = <Item>(name: string, key: string, read: Read<Item>) => {
  const query = useInfiniteQuery(
    {
      queryKey: ['admin', name, key],
      queryFn: async ({ pageParam }) => {
        const page = await read(pageParam)
        if (page === undefined) throw new Error(`A page of ${name} could not be read`)
        return page
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next,
    },
    adminQueries,
  )
  const { data, isFetching, isError, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = query
  const state: ListState = isFetching ? 'loading' : isError ? 'failed' : 'ready'
  const reload = () => void refetch()
  const more = () => void (hasNextPage ? fetchNextPage() : undefined)
  return {
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    next: data?.pages.at(-1)?.next ?? null,
    state,
    reload,
    more,
    again: isFetchNextPageError ? more : reload,
  }
}
