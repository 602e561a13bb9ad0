'use client'
import { createContext, useContext } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerGroup } from '#domain/servers/list-layout.ts'

/**
 * The requests of rows and headings. The same object for the life of the list, so that a row renders only for its own
 * server.
 */
export type ListActions = {
  readonly toggle: (serverId: string) => void
  readonly step: (server: Server, by: -1 | 1) => void
  readonly openMenu: (server: Server, opener: HTMLElement) => void
  readonly openGroupMenu: (group: ServerGroup, opener: HTMLElement) => void
  readonly fold: (group: ServerGroup) => void
}

export const ListActionsContext = createContext<ListActions | null>(null)

export const useListActions = (): ListActions => {
  const actions = useContext(ListActionsContext)
  if (actions === null) throw new Error('A row needs the list around it')
  return actions
}
