'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { OrderAnswer, Quote } from '#contracts/http/order.ts'
import type { OrderRequest, QuoteRequest } from '#contracts/http/order.ts'
import type { Server } from '#contracts/http/server.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useQuote } from '@/lib/ordering/use-quote.ts'
import { keys } from '@/lib/queries/queries.ts'
import { mergeServers } from '@/lib/queries/server-store.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { forgetWayBack } from '@/lib/navigation/way-back.ts'

/** The order was accepted and then failed: its whole amount is back on the balance. */
export class OrderFailed extends Error {
  override readonly name = 'OrderFailed'
}

/** The current price of the choice. It is requested again when the balance changes, because it names the missing amount. */
export const useOrderQuote = (request: QuoteRequest | undefined, balanceFt: number | undefined) =>
  useQuote({
    queryKey: keys.quote,
    request,
    besides: balanceFt,
    ask: (body, signal) => api.call('/api/orders/quote', { method: 'POST', body, schema: Quote, signal }),
  })

/** Places an order once, then opens the new server's console, which shows its installation. */
export const useOrder = ({ onOrdered, onPriceChanged }: { onOrdered: () => void; onPriceChanged: () => void }) => {
  const client = useQueryClient()
  const router = useRouter()
  return useKeyedMutation<OrderRequest, typeof OrderAnswer>({
    path: '/api/orders',
    schema: OrderAnswer,
    refusalIn: ({ order }) => (order.state === 'failed' ? new OrderFailed(order.failureReason ?? '') : undefined),
    onDone: ({ server }) => {
      onOrdered()
      forgetWayBack()
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(keys.server(server.id), server)
      router.push(`/panel/${server.id}/console`)
    },
    onRefused: (failure) => {
      if (failure instanceof ApiFailure && failure.code === 'PRICE_CHANGED') onPriceChanged()
    },
    stale: [keys.balance, keys.withdrawals],
  })
}
