'use client'
import { useEffect } from 'react'
import { PanelVisit } from '#contracts/http/panel/since-you-left.ts'
import type { SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { SEEN_EVERY_MS } from '#domain/servers/since-you-left.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { useServer } from '@/lib/servers/use-server.ts'

type PanelVisitsProps = { readonly serverId: string; readonly onNews: (news: SinceYouLeft | null) => void }

/**
 * Notes once a minute that the reader has this panel open and in view, and passes on what happened while they were
 * away. It draws nothing. A reader who looks as a collaborator is not there themselves.
 */
export const PanelVisits = ({ serverId, onNews }: PanelVisitsProps) => {
  const mayRead =
    useServer(serverId).data?.permissions.includes(PERMISSION_OF_CALL['POST /api/server/{id}/visit']) ?? false
  const isSelf = useSeeing() === null
  const isReader = mayRead && isSelf
  useEffect(() => {
    if (!isReader) return
    const path = `/api/server/${encodeURIComponent(serverId)}/visit`
    const visit = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      const { news } = await api.call(path, { method: 'POST', body: {}, schema: PanelVisit })
      // The next minute of the same visit has none, and takes none away.
      if (news !== null) onNews(news)
    }
    // The news are no part of the work with the server: without them the panel has nothing to say.
    const look = () => void visit().catch(() => undefined)
    look()
    const timer = window.setInterval(look, SEEN_EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      onNews(null)
    }
  }, [serverId, isReader, onNews])
  return null
}
