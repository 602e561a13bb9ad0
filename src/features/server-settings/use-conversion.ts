'use client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ConversionAnswer, ConversionQuote } from '#contracts/http/conversion.ts'
import type { ConversionQuoteRequest, ConversionRequest } from '#contracts/http/conversion.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useServerPurchase } from './use-server-purchase.ts'

const pathOf = (serverId: string) => `/api/server/${encodeURIComponent(serverId)}/conversion` as const

/** The current price of converting the test server; the last response stays on the page while the next one loads. */
export const conversionQuery = (serverId: string, request: ConversionQuoteRequest) =>
  queryOptions({
    queryKey: [...keys.server(serverId), 'conversion', request],
    queryFn: ({ signal }) =>
      api.call(`${pathOf(serverId)}/quote`, { method: 'POST', body: request, schema: ConversionQuote, signal }),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Converts the test server for the displayed price. */
export const useConvert = (serverId: string) =>
  useServerPurchase<ConversionRequest, typeof ConversionAnswer>({
    serverId,
    call: 'conversion',
    schema: ConversionAnswer,
  })
