'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SeenContext, type AboutServer } from '#contracts/http/desk/server-context.ts'
import type { Server } from '#contracts/http/server.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import type { Draft } from '../writing/ticket-draft.ts'

const seenContextQuery = (serverId: string) =>
  queryOptions({
    queryKey: ['ticket-context', serverId],
    queryFn: ({ signal }) =>
      api.call(`/api/ticket-context/${encodeURIComponent(serverId)}`, { schema: SeenContext, signal }),
    staleTime: 0,
    retry: false,
    // A console has other lines each time. They change only when they are asked for, never under the hand of whoever leaves some out.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

type LeftOut = { readonly mark: string; readonly lines: ReadonlySet<number> }
const NONE: ReadonlySet<number> = new Set()

/** The server that a new ticket is about, and what goes along about it: what is shown, or nothing. */
export const useAboutServer = (userId: string, draft: Pick<Draft, 'serverId' | 'leftOut'>) => {
  const [chosen, choose] = useState(draft.serverId ?? '')
  const [isLeftOut, setLeftOut] = useState(draft.leftOut === 'yes')
  const servers: readonly Server[] = (useQuery(serversQuery()).data ?? []).filter(({ owner }) => owner.id === userId)
  // A server that is gone from the list is chosen no more.
  const serverId = servers.some(({ id }) => id === chosen) ? chosen : ''
  const seen = useQuery({ ...seenContextQuery(serverId), enabled: serverId !== '' && !isLeftOut })
  const [leftOutLines, setLeftOutLines] = useState<LeftOut>({ mark: '', lines: new Set() })
  const mark = seen.data?.mark ?? ''
  const without = leftOutLines.mark === mark ? leftOutLines.lines : NONE
  const isShown = serverId !== '' && !isLeftOut && seen.data !== undefined && !seen.isError
  return {
    servers,
    serverId,
    choose,
    isLeftOut,
    setLeftOut,
    seen,
    /** Nothing is sent while what would go along is still on its way. */
    isPending: serverId !== '' && !isLeftOut && seen.isFetching && !isShown,
    lookAgain: () => void seen.refetch(),
    /** The choice for the draft. */
    kept: { serverId: chosen, ...(isLeftOut && { leftOut: 'yes' as const }) },
    /** Lines of the log that stay out, by their places in what is shown now. */
    without,
    toggleLine: (at: number) => {
      const lines = new Set(without)
      if (!lines.delete(at)) lines.add(at)
      setLeftOutLines({ mark, lines })
    },
    restoreLines: () => setLeftOutLines({ mark, lines: NONE }),
    body: (): { server?: AboutServer } => {
      if (!isShown) return {}
      const withoutLines = [...without].toSorted((a, b) => a - b)
      return { server: { id: serverId, mark, ...(withoutLines.length === 0 ? {} : { withoutLines }) } }
    },
  }
}
export type About = ReturnType<typeof useAboutServer>
