'use client'
import { queryOptions } from '@tanstack/react-query'
import { ServerPorts } from '#contracts/http/panel/ports.ts'
import { api } from '../browser-client/browser-client.ts'
import { keys } from './queries.ts'

const LOOK_EVERY_MS = 10_000

export const portsPath = (serverId: string, rest = '') =>
  `/api/server/${encodeURIComponent(serverId)}/ports${rest}` as const
export const portsKey = (serverId: string) => [...keys.server(serverId), 'ports']

/** The ports of a server. They are read again while one of them waits for a restart, or leaves. */
export const portsQuery = (serverId: string) =>
  queryOptions({
    queryKey: portsKey(serverId),
    queryFn: ({ signal }) => api.call(portsPath(serverId), { schema: ServerPorts, signal }),
    staleTime: 5_000,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' || (data !== undefined && (data.needsRestart || data.leaving.length > 0))
        ? LOOK_EVERY_MS
        : false,
  })
