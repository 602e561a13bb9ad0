'use client'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ModificationAnswer, ModificationQuote, ServerSize } from '#contracts/http/modification.ts'
import type { ModificationRequest } from '#contracts/http/modification.ts'
import type { ResourceChoice } from '#contracts/http/service.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useQuote } from '@/lib/ordering/use-quote.ts'
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

/** The current charge or refund of another size. No price is requested for undefined. */
export const useModificationQuote = (serverId: string, resources: ResourceChoice | undefined) =>
  useQuote({
    queryKey: [...keys.server(serverId), 'modification'],
    request: resources && { resources },
    ask: (body, signal) =>
      api.call(pathOf(serverId, 'modification/quote'), { method: 'POST', body, schema: ModificationQuote, signal }),
  })

/** Changes the size for the displayed sum. */
export const useModify = (serverId: string) =>
  useServerPurchase<ModificationRequest, typeof ModificationAnswer>({
    serverId,
    call: 'modification',
    schema: ModificationAnswer,
  })
