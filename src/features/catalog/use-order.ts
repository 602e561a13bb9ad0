'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { OrderAnswer } from '#contracts/http/order.ts'
import type { OrderRequest } from '#contracts/http/order.ts'
import type { Server } from '#contracts/http/server.ts'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { ApiFailure, mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { mergeServers } from '@/lib/api-client/server-store.ts'
import { forgetWayBack } from '@/lib/way-back.ts'

const attemptKeys = createAttemptKeys(newRequestId)

/** The order was taken and then failed: the balance has its whole amount back. */
export class OrderFailed extends Error {
  override readonly name = 'OrderFailed'
}

const placeOrder = async (body: OrderRequest) => {
  const answer = await api.call('/api/orders', {
    method: 'POST',
    body,
    idempotencyKey: attemptKeys.keyFor(body),
    schema: OrderAnswer,
  })
  if (answer.order.state === 'failed') throw new OrderFailed(answer.order.failureReason ?? '')
  return answer
}

/** Places an order once, then goes to the new server's console, where its installation is to be seen. */
export const useOrder = ({ onOrdered, onPriceChanged }: { onOrdered: () => void; onPriceChanged: () => void }) => {
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: placeOrder,
    onSuccess: ({ server }) => {
      attemptKeys.settle()
      onOrdered()
      forgetWayBack()
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(keys.server(server.id), server)
      void client.invalidateQueries({ queryKey: keys.balance })
      router.push(`/panel/${server.id}/console`)
    },
    onError: (failure) => {
      // After a lost answer the same key asks for the same order again; any readable refusal settles the attempt.
      if (!mayPass(failure)) attemptKeys.settle()
      if (failure instanceof ApiFailure && failure.code === 'PRICE_CHANGED') onPriceChanged()
      void client.invalidateQueries({ queryKey: keys.balance })
    },
  })
}
