'use client'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ModificationAnswer, ModificationQuote, ServerSize } from '#contracts/http/modification.ts'
import type { ModificationRequest } from '#contracts/http/modification.ts'
import type { ResourceChoice } from '#contracts/http/service.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useServerPurchase } from './use-server-purchase.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}` as const

/** The server's size, and whether a package or a test fixes it. */
export const sizeQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'size'],
    queryFn: ({ signal }) => api.call(pathOf(serverId, 'size'), { schema: ServerSize, signal }),
    staleTime: 15_000,
    retry: false,
  })

/** Applies a changed size to the page before it is refetched, so that further choices start from it. */
export const useKnownSize = (serverId: string) => {
  const client = useQueryClient()
  return (resources: ResourceChoice) =>
    client.setQueryData(sizeQuery(serverId).queryKey, (known) =>
      known ? { ...known, resources: { ...known.resources, ...resources } } : known,
    )
}

/** The current charge or refund of another size; the last response stays on the page while the next one loads. */
export const modificationQuery = (serverId: string, resources: ResourceChoice) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'modification', resources],
    queryFn: ({ signal }) =>
      api.call(pathOf(serverId, 'modification/quote'), {
        method: 'POST',
        body: { resources },
        schema: ModificationQuote,
        signal,
      }),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Changes the size for the displayed sum. */
export const useModify = (serverId: string) =>
  useServerPurchase<ModificationRequest, typeof ModificationAnswer>({
    serverId,
    call: 'modification',
    schema: ModificationAnswer,
  })
