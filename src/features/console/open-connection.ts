import { ConsoleAccess } from '#contracts/http/server.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { browserTimers, openBrowserSocket } from '@/lib/realtime/socket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'
import { rememberCommand } from './commands/command-memory.ts'
import { createCommandSender } from './commands/command-sender.ts'
import type { CommandSender } from './commands/command-sender.ts'
import { createConsoleStore } from './console-store.ts'
import type { ConsoleStore } from './console-store.ts'
import type { SayNote } from './log/log-buffer.ts'
import { createPanelLink } from './panel-link.ts'
import type { PanelLink } from './panel-link.ts'

export type Connection = { readonly store: ConsoleStore; readonly link: PanelLink; readonly sender: CommandSender }

type Hearing = {
  readonly say: SayNote
  /** Called when the node reports another state. */
  readonly onWord: (word: ServerWord) => void
}

/** The link of one server with what it feeds; it waits for `link.connect()`. */
export const openConnection = (serverId: string, { say, onWord }: Hearing): Connection => {
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
      const before = store.get().word
      store.receive(message)
      sender.hear(message)
      const { word, samples } = store.get()
      if (word !== undefined && word !== before) onWord(word)
      // The tiles' sparklines begin with the last minute, not with the page.
      if (message.event === 'auth success' && samples.length === 0) {
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
