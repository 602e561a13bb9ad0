'use client'
import { useEffect, useSyncExternalStore } from 'react'
import { closedConsole } from './console-store.ts'
import type { ConsoleState } from './console-store.ts'
import type { Connection } from './open-connection.ts'
import { usePanelConnection } from './panel-console.tsx'
import { backToEnd } from './use-older.ts'

export type LiveConsole = { readonly state: ConsoleState; readonly connection: Connection | null }

const noSubscription = () => () => undefined
const closed = () => closedConsole

/** Nobody reads the log any more: new lines push out old ones again, and the next visit begins at the end. */
const leave = ({ store, link }: Connection): void => {
  store.hold(false)
  const { log } = store.get()
  if (log.behind > 0) backToEnd({ log, send: link.send.bind(link), asked: store.asked, toEnd: store.toEnd })
}

/** The live state of the panel's server, on the page that draws all of it. */
export const useConsole = (): LiveConsole => {
  const connection = usePanelConnection()
  const state = useSyncExternalStore(
    connection?.store.subscribe ?? noSubscription,
    connection?.store.get ?? closed,
    closed,
  )
  useEffect(() => (connection === null ? undefined : () => leave(connection)), [connection])
  return { state, connection }
}
