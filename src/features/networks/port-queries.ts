'use client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { NodePorts } from '#contracts/panel/node-ports.ts'
import { PortCheck, ServerPorts } from '#contracts/http/panel/ports.ts'
import { NodeAccess } from '#contracts/http/server.ts'
import { api, askNode } from '@/lib/browser-client/browser-client.ts'
import { portsKey, portsPath } from '@/lib/queries/ports-query.ts'
import { keys } from '@/lib/queries/queries.ts'
import { nodeAddress } from '@/lib/servers/node-address.ts'

const portPath = (serverId: string, portId: string, rest = '') =>
  portsPath(serverId, `/${encodeURIComponent(portId)}${rest}`)

const listeningKey = (serverId: string) => [...keys.server(serverId), 'listening']
const accessKey = (serverId: string) => ['node-access', serverId, 'ports']

const LOOK_EVERY_MS = 10_000
/** A token lives 600 s. */
const TOKEN_KEPT_MS = 540_000

/** The node did not answer, or with something that is not its own. */
class NodeAway extends Error {
  override readonly name = 'NodeAway'
}

const accessOf = (client: QueryClient, serverId: string): Promise<NodeAccess> =>
  client.fetchQuery({
    queryKey: accessKey(serverId),
    queryFn: () =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/token`, {
        method: 'POST',
        body: { purpose: 'ports' },
        schema: NodeAccess,
      }),
    staleTime: TOKEN_KEPT_MS,
  })

const look = async (client: QueryClient, serverId: string, signal: AbortSignal): Promise<NodePorts> => {
  const access = await accessOf(client, serverId)
  const response = await askNode(nodeAddress(access, window.location.href).href, {
    headers: { authorization: `Bearer ${access.token}` },
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal,
  })
  // The node's keys or the reader's permissions changed: the next look asks for a new token.
  if (response.status === 401) client.removeQueries({ queryKey: accessKey(serverId) })
  const answer = NodePorts.safeParse(response.ok ? await response.json() : undefined)
  if (!answer.success) throw new NodeAway()
  return answer.data
}

/** The listening ports of a server, as its node sees them now. */
export const listeningQuery = (client: QueryClient, serverId: string) =>
  queryOptions({
    queryKey: listeningKey(serverId),
    queryFn: ({ signal }) => look(client, serverId, signal),
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
    staleTime: 2_000,
  })

export type PortChange =
  | { readonly kind: 'add'; readonly note: string }
  | { readonly kind: 'note'; readonly portId: string; readonly note: string }
  | { readonly kind: 'remove'; readonly portId: string }
  | { readonly kind: 'primary'; readonly portId: string }

const send = (serverId: string, change: PortChange): Promise<ServerPorts> => {
  const schema = ServerPorts
  switch (change.kind) {
    case 'add':
      return api.call(portsPath(serverId), { method: 'POST', body: { note: change.note }, schema })
    case 'note':
      return api.call(portPath(serverId, change.portId), { method: 'PATCH', body: { note: change.note }, schema })
    case 'remove':
      return api.call(portPath(serverId, change.portId), { method: 'DELETE', schema })
    case 'primary':
      return api.call(portPath(serverId, change.portId, '/primary'), { method: 'POST', body: {}, schema })
  }
}

/** Changes the ports of a server. After a lost answer they are read again, because the change may have happened. */
export const useChangePorts = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: PortChange) => send(serverId, change),
    onSuccess: (ports, { kind }) => {
      client.setQueryData(portsKey(serverId), ports)
      void client.invalidateQueries({ queryKey: listeningKey(serverId) })
      // The address of the server stands on other pages too.
      if (kind === 'primary') {
        void client.invalidateQueries({ queryKey: keys.servers })
        void client.invalidateQueries({ queryKey: keys.server(serverId), exact: true })
      }
    },
    onError: () => void client.invalidateQueries({ queryKey: portsKey(serverId) }),
  })
}

/** Checks a port from outside its machine. */
export const useCheckPort = (serverId: string, portId: string) =>
  useMutation({
    mutationFn: () => api.call(portPath(serverId, portId, '/check'), { method: 'POST', body: {}, schema: PortCheck }),
  })

/** Reads what may have changed since the server started or stopped. */
export const rereadPorts = (client: QueryClient, serverId: string): void => {
  void client.invalidateQueries({ queryKey: portsKey(serverId) })
  void client.invalidateQueries({ queryKey: listeningKey(serverId) })
}
