'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import type * as z from 'zod'
import { createAttemptKeys } from './attempt-keys.ts'
import { api } from './browser-client.ts'
import { keptAttempts } from './kept-attempts.ts'
import { newRequestId } from './request-id.ts'

const ofPage = createAttemptKeys(newRequestId)
const ofTab = createAttemptKeys(newRequestId, keptAttempts)

type Keyed<Body, Schema extends z.ZodType> = {
  path: `/api/${string}`
  schema: Schema
  /** Its text is still in the form after a reload, and is the same attempt then. */
  outlivesReload?: boolean
  /** Finds a refusal in a successful response. */
  refusalIn?: (answer: z.infer<Schema>) => Error | undefined
  onDone?: (answer: z.infer<Schema>, body: Body) => void
  onRefused?: (failure: Error) => void
  /** The queries that the request may have changed: after a lost response the outcome is unknown. */
  stale: readonly QueryKey[]
}

/**
 * A request that moves money or spins, carried out once however often the button is pressed: the key stays the same
 * after a lost response, while the first request is in progress, and when none was let through; any other readable
 * response settles the attempt.
 */
export const useKeyedMutation = <Body extends object, Schema extends z.ZodType>({
  path,
  schema,
  outlivesReload = false,
  refusalIn,
  onDone,
  onRefused,
  stale,
}: Keyed<Body, Schema>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) =>
      (outlivesReload ? ofTab : ofPage).send(path, body, async (idempotencyKey): Promise<z.infer<Schema>> => {
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
