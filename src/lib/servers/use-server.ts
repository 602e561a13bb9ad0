'use client'
import { useQuery } from '@tanstack/react-query'
import { serverQuery, serversQuery } from '@/lib/queries/queries.ts'
import { useSeeing } from './use-seeing.ts'

/** A server by its id. The list knows it before its own response arrives: right after an order the page opens at once. Without an id nothing is read. */
export const useServer = (id: string | undefined) => {
  const listed = useQuery(serversQuery()).data?.find((server) => server.id === id)
  // The list is the reader's own, with all that they may do.
  const isOwn = useSeeing() === null
  const own = useQuery({ ...serverQuery(id ?? ''), enabled: id !== undefined })
  // Earlier reads no longer count once the reader has no such server any more. One who looks as somebody else still has
  // it.
  const present = isOwn && isNoServer(own.error) ? undefined : own.data
  return { ...own, data: present ?? (isOwn ? listed : undefined) }
}

/** Whether a failure says that there is no such server for this reader. Retrying would not change it. */
export const isNoServer = (failure: unknown): boolean =>
  failure instanceof Error && 'status' in failure && (failure.status === 404 || failure.status === 400)
