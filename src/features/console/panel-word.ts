import type { Server } from '#contracts/http/server.ts'
import { shownWord } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import type { ConsoleState } from './console-store.ts'

/** The state that the node reports now; undefined without a live link, because it may have changed since. */
export const liveWordOf = ({ link, word }: Pick<ConsoleState, 'link' | 'word'>): ServerWord | undefined =>
  link.kind === 'live' ? word : undefined

/** The state that the whole panel shows: a suspension, else the live state, else the list's, else installing. */
export const panelWord = (
  live: ServerWord | undefined,
  server: Pick<Server, 'status' | 'suspended'> | undefined,
): ServerWord => (server?.suspended ? 'suspended' : shownWord(live, server?.status))
