'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { ConsoleAccess } from '#contracts/http/server.ts'
import { browserTimers, openBrowserSocket } from '@/features/realtime/socket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'
import { createCommandSender } from './commands/command-sender.ts'
import type { CommandSender } from './commands/command-sender.ts'
import { closedConsole, createConsoleStore } from './console-store.ts'
import type { ConsoleState, ConsoleStore } from './console-store.ts'
import type { SayNote } from './log/log-buffer.ts'
import { noteWords } from '@/lib/servers/note-words.ts'
import { createPanelLink } from './panel-link.ts'
import type { PanelLink } from './panel-link.ts'
import { rememberCommand } from './commands/command-memory.ts'

export type Connection = { readonly store: ConsoleStore; readonly link: PanelLink; readonly sender: CommandSender }
export type LiveConsole = { readonly state: ConsoleState; readonly connection: Connection | null }

const connect = (serverId: string, say: SayNote): Connection => {
  const store = createConsoleStore({ now: () => Date.now(), soon: (run) => void requestAnimationFrame(run), say })
  const sender = createCommandSender({
    send: (message) => link.send(message),
    timers: browserTimers,
    newId: newRequestId,
    onSent: store.sent,
    onTaken: (command) => rememberCommand(serverId, command),
  })
  const link = createPanelLink({
    access: () => api.call(`/api/server/${encodeURIComponent(serverId)}/ws`, { schema: ConsoleAccess }),
    pageAddress: window.location.href,
    open: openBrowserSocket,
    timers: browserTimers,
    random: Math.random,
    lastSeq: store.lastSeq,
    onMessage: (message) => {
      store.receive(message)
      sender.hear(message)
      // The tiles' sparklines begin with the last minute, not with the page.
      if (message.event === 'auth success' && store.get().samples.length === 0) {
        link.send({ event: 'send stats history', args: [{ fromMs: Date.now() - 60_000, step: 1 }] })
      }
    },
    onState: (state) => {
      store.setLink(state)
      if (state.kind !== 'live') sender.lost()
    },
  })
  return { store, link, sender }
}

const noSubscription = () => () => undefined
const closed = () => closedConsole

/** One socket per server, while its page is open; a page that becomes visible reconnects a lost one. */
export const useConsole = (serverId: string): LiveConsole => {
  const [connection, setConnection] = useState<Connection | null>(null)
  const t = useTranslations('console.notes')
  const locale = useLocale()
  const say = useEffectEvent<SayNote>((note) => noteWords(t, note))
  // After a change of language the page reloads its log.
  useEffect(() => {
    const made = connect(serverId, (note) => say(note))
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
      made.sender.lost()
    }
  }, [serverId, locale])
  const state = useSyncExternalStore(
    connection?.store.subscribe ?? noSubscription,
    connection?.store.get ?? closed,
    closed,
  )
  return { state, connection }
}
