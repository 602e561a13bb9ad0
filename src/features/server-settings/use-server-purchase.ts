'use client'
import { useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import type { Server } from '#contracts/http/server.ts'
import { keys } from '@/lib/queries/queries.ts'
import { mergeServers } from '@/lib/queries/server-store.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'

type Purchase<Schema> = { serverId: string; call: 'renew' | 'modification' | 'package' | 'conversion'; schema: Schema }

/** Buys time or size for a server, for the displayed sum; the pages show the returned server at once. */
export const useServerPurchase = <Body extends object, Schema extends z.ZodType<{ server: Server }>>({
  serverId,
  call,
  schema,
}: Purchase<Schema>) => {
  const client = useQueryClient()
  const ofServer = keys.server(serverId)
  return useKeyedMutation<Body, Schema>({
    path: `/api/server/${encodeURIComponent(serverId)}/${call}`,
    schema,
    onDone: ({ server }) => {
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(ofServer, server)
    },
    // Each is a separate contract, and more time makes a resize more expensive.
    stale: [
      keys.balance,
      keys.withdrawals,
      ...['size', 'modification', 'packages', 'renewal', 'conversion'].map((part) => [...ofServer, part]),
    ],
  })
}
