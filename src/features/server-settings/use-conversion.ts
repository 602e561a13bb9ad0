'use client'
import { ConversionAnswer, ConversionQuote } from '#contracts/http/conversion.ts'
import type { ConversionQuoteRequest, ConversionRequest } from '#contracts/http/conversion.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useQuote } from '@/lib/ordering/use-quote.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useServerPurchase } from './use-server-purchase.ts'

const pathOf = (serverId: string) => `/api/server/${encodeURIComponent(serverId)}/conversion` as const

/** The current price of converting the test server. */
export const useConversionQuote = (serverId: string, request: ConversionQuoteRequest) =>
  useQuote({
    queryKey: [...keys.server(serverId), 'conversion'],
    request,
    ask: (body, signal) =>
      api.call(`${pathOf(serverId)}/quote`, { method: 'POST', body, schema: ConversionQuote, signal }),
  })

/** Converts the test server for the displayed price. */
export const useConvert = (serverId: string) =>
  useServerPurchase<ConversionRequest, typeof ConversionAnswer>({
    serverId,
    call: 'conversion',
    schema: ConversionAnswer,
  })
