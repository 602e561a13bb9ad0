'use client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ConversionAnswer, ConversionQuote } from '#contracts/http/conversion.ts'
import type { ConversionQuoteRequest, ConversionRequest } from '#contracts/http/conversion.ts'
import type { Server } from '#contracts/http/server.ts'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { mergeServers } from '@/lib/api-client/server-store.ts'

const pathOf = (serverId: string) => `/api/server/${encodeURIComponent(serverId)}/conversion` as const
const attemptKeys = createAttemptKeys(newRequestId)

/** What the test server costs as a paid one now; the last answer stays on the page while the next one comes. */
export const conversionQuery = (serverId: string, request: ConversionQuoteRequest) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'conversion', request],
    queryFn: ({ signal }) =>
      api.call(`${pathOf(serverId)}/quote`, { method: 'POST', body: request, schema: ConversionQuote, signal }),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Buys the server once, however often the button is pressed, for the price that the page shows. */
export const useConvert = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ConversionRequest) =>
      api.call(pathOf(serverId), {
        ...{ method: 'POST', body, schema: ConversionAnswer },
        idempotencyKey: attemptKeys.keyFor({ serverId, body }),
      }),
    onSuccess: ({ server }) => {
      attemptKeys.settle()
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(keys.server(serverId), server)
    },
    // After a lost answer the same key asks for the same order again; any readable refusal settles the attempt.
    onError: (failure) => {
      if (!mayPass(failure)) attemptKeys.settle()
    },
    onSettled: () => {
      for (const queryKey of [keys.balance, keys.withdrawals, [...keys.server(serverId), 'size']]) {
        void client.invalidateQueries({ queryKey })
      }
    },
  })
}
