'use client'
import { useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import type { Server } from '#contracts/http/server.ts'
import { keys } from '@/lib/queries/queries.ts'
import { mergeServers } from '@/lib/queries/server-store.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'

type Purchase<Schema> = { serverId: string; call: 'renew' | 'modification' | 'conversion'; schema: Schema }

/** Buys time or size for a server, for the sum that the page shows; the pages know the server of the answer at once. */
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
    // Each is a contract of its own, and more time makes a change of size dearer.
    stale: [
      keys.balance,
      keys.withdrawals,
      ...['size', 'modification', 'renewal', 'conversion'].map((part) => [...ofServer, part]),
    ],
  })
}
