'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import type * as z from 'zod'
import { createAttemptKeys } from './attempt-keys.ts'
import { api } from './browser-client.ts'
import { newRequestId } from './request-id.ts'

const attemptKeys = createAttemptKeys(newRequestId)

type Keyed<Body, Schema extends z.ZodType> = {
  path: `/api/${string}`
  schema: Schema
  /** Why an answer is a refusal after all. */
  refusalIn?: (answer: z.infer<Schema>) => Error | undefined
  onDone?: (answer: z.infer<Schema>, body: Body) => void
  onRefused?: (failure: Error) => void
  /** What the request may have changed: after a lost answer nobody knows whether it did. */
  stale: readonly QueryKey[]
}

/**
 * A request that moves money or spins, carried out once however often the button is pressed: after a lost answer the same key asks for
 * the same thing again, as it does while the first request is still worked on or none was let through; any other readable answer settles
 * the attempt.
 */
export const useKeyedMutation = <Body extends object, Schema extends z.ZodType>({
  path,
  schema,
  refusalIn,
  onDone,
  onRefused,
  stale,
}: Keyed<Body, Schema>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) =>
      attemptKeys.send(path, body, async (idempotencyKey): Promise<z.infer<Schema>> => {
        const answer = await api.call(path, { method: 'POST', body, idempotencyKey, schema })
        const refusal = refusalIn?.(answer)
        if (refusal) throw refusal
        return answer
      }),
    onSuccess: (answer, body) => onDone?.(answer, body),
    onError: (failure) => onRefused?.(failure),
    onSettled: () => {
      for (const queryKey of stale) void client.invalidateQueries({ queryKey })
    },
  })
}
