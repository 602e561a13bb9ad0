'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { prizeKeys } from './prize-queries.ts'

const attemptKeys = createAttemptKeys(newRequestId)

type Purchase<Body, Schema extends z.ZodType> = {
  path: `/api/${string}`
  schema: Schema
  onDone: (answer: z.infer<Schema>, body: Body) => void
}

/** One request that moves money or spins: after a lost answer the same key asks for the same thing again. */
export const usePurchase = <Body extends object, Schema extends z.ZodType>({
  path,
  schema,
  onDone,
}: Purchase<Body, Schema>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) =>
      api.call(path, { method: 'POST', body, idempotencyKey: attemptKeys.keyFor([path, body]), schema }),
    onSuccess: (answer, body) => {
      attemptKeys.settle()
      onDone(answer, body)
    },
    onError: (failure) => {
      if (!mayPass(failure)) attemptKeys.settle()
    },
    onSettled: () => {
      for (const queryKey of [keys.me, keys.balance, prizeKeys.premium]) void client.invalidateQueries({ queryKey })
    },
  })
}
