'use client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ModificationAnswer, ModificationQuote, ServerSize } from '#contracts/http/modification.ts'
import type { ModificationRequest } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import type { ResourceChoice } from '#contracts/http/service.ts'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { mergeServers } from '@/lib/api-client/server-store.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}` as const
const attemptKeys = createAttemptKeys(newRequestId)

/** What the server has, and whether a package or a test fixes it. */
export const sizeQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'size'],
    queryFn: ({ signal }) => api.call(pathOf(serverId, 'size'), { schema: ServerSize, signal }),
    staleTime: 15_000,
    retry: false,
  })

/** The page knows a changed size before it is asked for again: what the reader chooses meanwhile starts from it. */
export const useKnownSize = (serverId: string) => {
  const client = useQueryClient()
  return (resources: ResourceChoice) =>
    client.setQueryData(sizeQuery(serverId).queryKey, (known) =>
      known ? { ...known, resources: { ...known.resources, ...resources } } : known,
    )
}

/** What another size costs or gives back now; the last answer stays on the page while the next one comes. */
export const modificationQuery = (serverId: string, resources: ResourceChoice) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'modification', resources],
    queryFn: ({ signal }) =>
      api.call(pathOf(serverId, 'modification/quote'), {
        ...{ method: 'POST', body: { resources }, schema: ModificationQuote, signal },
      }),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Changes the size once, however often the button is pressed, for the sum that the page shows. */
export const useModify = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ModificationRequest) =>
      api.call(pathOf(serverId, 'modification'), {
        ...{ method: 'POST', body, schema: ModificationAnswer },
        idempotencyKey: attemptKeys.keyFor({ serverId, body }),
      }),
    onSuccess: ({ server }) => {
      attemptKeys.settle()
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(keys.server(serverId), server)
    },
    // After a lost answer the same key asks for the same change again; any readable refusal settles the attempt.
    onError: (failure) => {
      if (!mayPass(failure)) attemptKeys.settle()
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.balance })
      void client.invalidateQueries({ queryKey: keys.withdrawals })
      for (const part of ['size', 'modification', 'renewal']) {
        void client.invalidateQueries({ queryKey: [...keys.server(serverId), part] })
      }
    },
  })
}
