'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ReactNode } from 'react'
import type { SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import type { Server } from '#contracts/http/server.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { keys } from '@/lib/queries/queries.ts'
import { withServerWord } from '@/lib/queries/server-store.ts'
import { noteWords } from '@/lib/servers/note-words.ts'
import { useServer } from '@/lib/servers/use-server.ts'
import { closedConsole } from './console-store.ts'
import type { SayNote } from './log/log-buffer.ts'
import { openConnection } from './open-connection.ts'
import type { Connection } from './open-connection.ts'
import { liveWordOf, panelWord } from './panel-word.ts'
import { PanelVisits } from './since/panel-visits.tsx'

const PanelConnection = createContext<Connection | null>(null)

/** The connection of the panel's server; null before it is open, and for a reader who may not read the console. */
export const usePanelConnection = (): Connection | null => useContext(PanelConnection)

type PanelNews = { readonly news: SinceYouLeft | null; readonly dismiss: () => void }

const News = createContext<PanelNews>({ news: null, dismiss: () => undefined })

/** The events on the panel's server while the reader was away, until they close them or leave the panel. */
export const usePanelNews = (): PanelNews => useContext(News)

const noSubscription = () => () => undefined

/** The word of the panel's server, wherever in the panel: live, else of the list, else installing. */
export const usePanelWord = (server: Pick<Server, 'status' | 'suspended'> | undefined): ServerWord => {
  const store = usePanelConnection()?.store
  const live = useSyncExternalStore(
    store?.watch ?? noSubscription,
    () => liveWordOf(store?.get() ?? closedConsole),
    () => undefined,
  )
  return panelWord(live, server)
}

/** The list and the server's own pages show the node's state too. A suspension outranks the program's state. */
const useSharedWord = (serverId: string) => {
  const client = useQueryClient()
  return (word: ServerWord): void => {
    client.setQueryData<Server[]>(keys.servers, (list) =>
      list?.some(({ id, suspended }) => id === serverId && suspended)
        ? list
        : list && [...withServerWord(list, serverId, word)],
    )
    client.setQueryData<Server>(keys.server(serverId), (server) =>
      server === undefined || server.suspended || server.status === word ? server : { ...server, status: word },
    )
  }
}

type LinkProps = { readonly serverId: string; readonly onConnection: (connection: Connection | null) => void }

/** The socket of one server; it draws nothing. A page that becomes visible reconnects a lost one. */
const ServerLink = ({ serverId, onConnection }: LinkProps) => {
  const t = useTranslations('console.notes')
  const locale = useLocale()
  const server = useServer(serverId).data
  const mayRead = server?.permissions.includes(PERMISSION_OF_CALL['GET /api/server/{id}/ws']) ?? false
  const isSuspended = server?.suspended ?? false
  const isAway = server?.status === 'nodeoffline'
  const link = useRef<Connection['link'] | null>(null)
  const say = useEffectEvent<SayNote>((note) => noteWords(t, note))
  const onWord = useEffectEvent(useSharedWord(serverId))
  // After a change of language the log is read again, and after the end of a suspension there is something to read.
  useEffect(() => {
    if (!mayRead) return
    const made = openConnection(serverId, { say: (note) => say(note), onWord: (word) => onWord(word) })
    link.current = made.link
    onConnection(made)
    made.link.connect()
    const onVisible = () => {
      if (document.visibilityState === 'visible') made.link.wake()
    }
    document.addEventListener('visibilitychange', onVisible)
    window.addEventListener('online', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', onVisible)
      made.link.close()
      made.sender.lost()
      link.current = null
      onConnection(null)
    }
  }, [serverId, locale, mayRead, isSuspended, onConnection])
  // The site learns that a node is back before the next attempt, and also after the last one.
  useEffect(() => {
    if (!isAway) link.current?.wake()
  }, [isAway])
  return null
}

type PanelConsoleProps = { readonly serverId: string | undefined; readonly children: ReactNode }

/**
 * Owns the per-server link for all pages of the panel: it opens with the first page of a server, stays open from page
 * to page, and closes with the panel (specification section 4).
 */
export const PanelConsole = ({ serverId, children }: PanelConsoleProps) => {
  const [connection, setConnection] = useState<Connection | null>(null)
  const [news, setNews] = useState<SinceYouLeft | null>(null)
  const panelNews = useMemo(() => ({ news, dismiss: () => setNews(null) }), [news])
  return (
    <PanelConnection value={connection}>
      {serverId === undefined ? null : (
        <>
          <ServerLink key={`link ${serverId}`} serverId={serverId} onConnection={setConnection} />
          <PanelVisits key={`visits ${serverId}`} serverId={serverId} onNews={setNews} />
        </>
      )}
      <News value={panelNews}>{children}</News>
    </PanelConnection>
  )
}
