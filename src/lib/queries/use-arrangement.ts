'use client'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type * as z from 'zod'
import { api } from '../browser-client/browser-client.ts'
import { useFailureText } from '../browser-client/failure-text.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'

const HEAL_EVERY_MS = 10_000

/** Something that the reader arranges, and that is kept for the account. */
export type Arrangement<Layout, Change> = {
  /** The call that reads it with GET and changes it with POST. */
  readonly path: `/api/${string}`
  readonly key: readonly [string]
  readonly schema: z.ZodType<Layout>
  /** The layout after a change, as the control plane will decide it; undefined if it will refuse it. */
  readonly changed: (layout: Layout, change: Change, client: QueryClient) => Layout | undefined
  /** Without it a read that fails is tried again at once, before it counts as failed. */
  readonly retry?: false
}

const arrangementQuery = <Layout, Change>({ path, key, schema, retry }: Arrangement<Layout, Change>) =>
  queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => api.call(path, { schema, signal }),
    staleTime: 15_000,
    ...(retry === undefined ? {} : { retry }),
    refetchInterval: ({ state }) => (state.status === 'error' ? HEAL_EVERY_MS : false),
  })

/**
 * The reader's arrangement, and how to change it. A change shows immediately and is sent after those before it; the answer contains what
 * other browsers have changed meanwhile. A refused one is undone and explained.
 */
export const useArrangement = <Layout, Change>(arrangement: Arrangement<Layout, Change>) => {
  const { path, key, schema } = arrangement
  const client = useQueryClient()
  const toast = useToast()
  const failureText = useFailureText()
  const query = useQuery(arrangementQuery(arrangement))
  const { mutateAsync } = useMutation({
    mutationKey: key,
    scope: { id: key[0] },
    mutationFn: (change: Change) => api.call(path, { method: 'POST', body: change, schema, keepalive: true }),
    onSuccess: (layout) => {
      // While further changes wait, the page is already ahead of this answer.
      if (client.isMutating({ mutationKey: key }) === 1) client.setQueryData(key, layout)
    },
    onError: () => void client.invalidateQueries({ queryKey: key }),
  })
  const change = useMemo(() => {
    const show = async (wish: Change): Promise<void> => {
      const known = client.getQueryData<Layout>(arrangement.key)
      await client.cancelQueries({ queryKey: arrangement.key })
      const next = known === undefined ? undefined : arrangement.changed(known, wish, client)
      if (next !== undefined) client.setQueryData(arrangement.key, next)
      await mutateAsync(wish)
    }
    /** Resolves with the failure, if there was one. A form shows it; without a form it is told in a toast. */
    return {
      tell: (wish: Change): void =>
        void show(wish).catch((failure: unknown) => toast({ lamp: 'crash', text: failureText(failure) })),
      ask: show,
    }
  }, [arrangement, client, mutateAsync, toast, failureText])
  return { query, change }
}
