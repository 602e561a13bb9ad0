'use client'
import { createContext, useContext } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { readOnlyReason, type ReadOnlyReason } from '#domain/servers/read-only.ts'

export type StartupPlace = {
  readonly server: Server
  /** Whether the reader may do this now: by permission, and only looking after the paid time or a suspension. */
  readonly may: (permission: Permission) => boolean
  /** Why nothing can be changed now, whoever reads. */
  readonly closed: ReadOnlyReason | null
}

/** The reader's rights on the start-up settings of a server now. */
export const startupPlaceOf = (server: Server, nowMs: number): StartupPlace => {
  const closed = readOnlyReason({ suspended: server.suspended, expiresAtMs: Date.parse(server.expiry) }, nowMs)
  return { server, closed, may: (permission) => closed === null && server.permissions.includes(permission) }
}

export const StartupContext = createContext<StartupPlace | null>(null)

/** The page's server; needs the provider of the page above it. */
export const useStartupPlace = (): StartupPlace => {
  const place = useContext(StartupContext)
  if (place === null) throw new Error('useStartupPlace needs a startup page above it')
  return place
}
