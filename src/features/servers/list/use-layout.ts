'use client'
import type { Server } from '#contracts/http/server.ts'
import { ServerLayout, type ServerLayoutChange } from '#contracts/http/server-layout.ts'
import { arranged, changedLayout } from '#domain/servers/list-layout.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useArrangement, type Arrangement } from '@/lib/queries/use-arrangement.ts'

const SERVER_LIST: Arrangement<ServerLayout, ServerLayoutChange> = {
  path: '/api/user/server-layout',
  key: ['server-layout'],
  schema: ServerLayout,
  changed: (layout, change, client) => {
    const ids = (client.getQueryData<Server[]>(keys.servers) ?? []).map(({ id }) => id)
    const result = changedLayout(arranged(layout, ids), change)
    return result.ok ? ServerLayout.parse(result.layout) : undefined
  },
}

/** The reader's order and groups of the list of servers, and how to change them. */
export const useLayout = () => useArrangement(SERVER_LIST)
