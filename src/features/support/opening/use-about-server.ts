'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { SeenContext, type AboutServer } from '#contracts/http/desk/server-context.ts'
import type { Server } from '#contracts/http/server.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import type { Draft } from '../writing/ticket-draft.ts'
import { keptSigns, placesOf, signOfLine, signsAfter, signsIn } from './left-out-lines.ts'

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

type LeftOut = {
  /** The signs of all lines that were left out since the draft began, also of lines that another look does not show. */
  readonly signs: ReadonlySet<string>
  /** The look in which lines were chosen last, with their places in it. */
  readonly mark: string
  readonly places: ReadonlySet<number>
}
const NONE: ReadonlySet<number> = new Set()

/** Lines of the log that stay out, by their places in what is shown now. In another look those with the same words stay out. */
const useLeftOutLines = (
  kept: string | undefined,
  { serverId, mark, lines }: { serverId: string; mark: string; lines: readonly string[] | undefined },
) => {
  const [leftOut, setLeftOut] = useState<LeftOut>(() => ({ signs: signsIn(kept), mark: '', places: NONE }))
  const lineSigns = useMemo(() => (lines ?? []).map((line) => signOfLine(serverId, line)), [serverId, lines])
  const without = leftOut.mark === mark ? leftOut.places : placesOf(leftOut.signs, lineSigns)
  const leaveOut = (places: ReadonlySet<number>) =>
    setLeftOut({ signs: signsAfter(leftOut.signs, lineSigns, places), mark, places })
  return { without, leaveOut, kept: keptSigns(leftOut.signs) }
}

/** The server that a new ticket is about, and what goes along about it: what is shown, or nothing. */
export const useAboutServer = (userId: string, draft: Pick<Draft, 'serverId' | 'leftOut' | 'leftOutLines'>) => {
  const [chosen, choose] = useState(draft.serverId ?? '')
  const [isLeftOut, setLeftOut] = useState(draft.leftOut === 'yes')
  const list = useQuery(serversQuery())
  const servers: readonly Server[] = (list.data ?? []).filter(({ owner }) => owner.id === userId)
  // A server that is gone from the list is chosen no more.
  const serverId = servers.some(({ id }) => id === chosen) ? chosen : ''
  const isUnread = chosen !== '' && !isLeftOut && list.data === undefined
  const seen = useQuery({ ...seenContextQuery(serverId), enabled: serverId !== '' && !isLeftOut })
  const { mark = '', context } = seen.data ?? {}
  const lines = useLeftOutLines(draft.leftOutLines, { serverId, mark, lines: context?.log?.lines })
  const { without } = lines
  const isShown = serverId !== '' && !isLeftOut && seen.data !== undefined && !seen.isError
  return {
    servers,
    serverId,
    choose,
    isLeftOut,
    setLeftOut,
    seen,
    /** Whether the servers could not be read, and so nothing about the chosen one is shown. */
    isUnknown: isUnread && list.isError,
    /** Nothing is sent while what would go along is still on its way. */
    isPending: (isUnread && !list.isError) || (serverId !== '' && !isLeftOut && seen.isFetching && !isShown),
    isLooking: seen.isFetching || list.isFetching,
    lookAgain: () => void (isUnread ? list.refetch() : seen.refetch()),
    /** The choice for the draft. */
    kept: {
      serverId: chosen,
      ...(isLeftOut && { leftOut: 'yes' as const }),
      ...(lines.kept !== undefined && { leftOutLines: lines.kept }),
    },
    without,
    toggleLine: (at: number) => {
      const places = new Set(without)
      if (!places.delete(at)) places.add(at)
      lines.leaveOut(places)
    },
    restoreLines: () => lines.leaveOut(NONE),
    body: (): { server?: AboutServer } => {
      if (!isShown) return {}
      const withoutLines = [...without].toSorted((a, b) => a - b)
      return { server: { id: serverId, mark, ...(withoutLines.length === 0 ? {} : { withoutLines }) } }
    },
  }
}
export type About = ReturnType<typeof useAboutServer>
