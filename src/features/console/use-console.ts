'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ConsoleAccess } from '#contracts/http/server.ts'
import { browserTimers, openBrowserSocket } from '@/features/realtime/socket.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { closedConsole, createConsoleStore } from './console-store.ts'
import type { ConsoleState, ConsoleStore } from './console-store.ts'
import { createPanelLink } from './panel-link.ts'
import type { PanelLink } from './panel-link.ts'

export type LiveConsole = {
  state: ConsoleState
  send: PanelLink['send']
  reconnect: () => void
  dismissNotice: () => void
}

type Connection = { store: ConsoleStore; link: PanelLink }

const connect = (serverId: string): Connection => {
  const store = createConsoleStore({ now: () => Date.now(), soon: (run) => void requestAnimationFrame(run) })
  const link = createPanelLink({
    access: () => api.call(`/api/server/${encodeURIComponent(serverId)}/ws`, { schema: ConsoleAccess }),
    pageAddress: window.location.href,
    open: openBrowserSocket,
    timers: browserTimers,
    lastSeq: store.lastSeq,
    onMessage: store.receive,
    onState: store.setLink,
  })
  return { store, link }
}

const noSubscription = () => () => undefined
const closed = () => closedConsole

/** One socket for one server, as long as its page is open; a page that becomes visible brings a lost one back. */
export const useConsole = (serverId: string): LiveConsole => {
  const [connection, setConnection] = useState<Connection | null>(null)
  useEffect(() => {
    const made = connect(serverId)
    setConnection(made)
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
    }
  }, [serverId])
  const state = useSyncExternalStore(
    connection?.store.subscribe ?? noSubscription,
    connection?.store.get ?? closed,
    closed,
  )
  return {
    state,
    send: (message) => connection?.link.send(message) ?? false,
    reconnect: () => connection?.link.connect(),
    dismissNotice: () => connection?.store.dismissNotice(),
  }
}
