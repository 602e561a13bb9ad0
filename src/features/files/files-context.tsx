'use client'
import { createContext, useContext } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { NodeAccess } from '#contracts/http/server.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { api, askNode } from '@/lib/browser-client/browser-client.ts'
import { seeing } from '@/lib/seeing/seeing.ts'
import { FileTrouble } from './file-trouble.ts'
import { NodeFiles } from './node-files.ts'

export type Files = {
  readonly server: Server
  readonly node: NodeFiles
  /** Whether the reader may do this at the moment: by permission, and only looking after the paid time or a suspension. */
  readonly may: (permission: Permission) => boolean
  readonly isReadOnly: boolean
}

const known = new Map<string, NodeFiles>()

/** The node's files of a server; one for all parts of the page, so that they share its token, and one for each collaborator as whom it is looked at. */
export const nodeFilesOf = (serverId: string): NodeFiles => {
  const as = seeing.get()?.id
  const key = `${serverId} ${as ?? ''}`
  const existing = known.get(key)
  if (existing !== undefined) return existing
  const made = new NodeFiles({
    access: async (request) => {
      // A request that began in one view of the panel gets no token of another view.
      if (seeing.get()?.id !== as) throw new FileTrouble('SEEING_AS')
      const path = `/api/server/${encodeURIComponent(serverId)}/token`
      return api.call(path, { method: 'POST', body: request, schema: NodeAccess })
    },
    fetch: askNode,
    now: () => Date.now(),
    page: () => window.location.href,
  })
  known.set(key, made)
  return made
}

const CHANGES: readonly Permission[] = ['file.create', 'file.update', 'file.compress']

/** The reader's rights on the files of a server now. */
export const filesOf = (server: Server, nowMs: number): Files => {
  const { suspended, expiry } = server
  const isReadOnly = readOnlyReason({ suspended, expiresAtMs: Date.parse(expiry) }, nowMs) !== null
  return {
    server,
    node: nodeFilesOf(server.id),
    isReadOnly,
    may: (permission) => server.permissions.includes(permission) && !(isReadOnly && CHANGES.includes(permission)),
  }
}

export const FilesContext = createContext<Files | null>(null)

/** The files of the page's server; needs the provider of the page above it. */
export const useFiles = (): Files => {
  const files = useContext(FilesContext)
  if (files === null) throw new Error('useFiles needs a files page above it')
  return files
}
