'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { needsRestart } from '#domain/config-files/server-properties.ts'
import type { Files } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'

/**
 * Whether a file that the server reads when it starts is newer than its start: as it was opened, or because it was saved
 * since. A new start of the server ends that.
 */
export const useRestartNeed = ({ server, node }: Files, mtimeMs: number, isReadAtStart: boolean) => {
  const { data } = useQuery({
    queryKey: [...filesKey(server.id), 'running-since', server.status],
    queryFn: ({ signal }) => node.call('running-since', {}, signal),
    enabled: isReadAtStart && server.status === 'running',
    // An answer about an earlier run is never shown.
    gcTime: 0,
    staleTime: 0,
  })
  const sinceMs = server.status === 'running' ? (data?.sinceMs ?? null) : null
  const [savedInRun, setSavedInRun] = useState<number | null>(null)
  return {
    isNeeded: sinceMs !== null && (savedInRun === sinceMs || needsRestart(mtimeMs, sinceMs)),
    saved: () => setSavedInRun(sinceMs),
  }
}
