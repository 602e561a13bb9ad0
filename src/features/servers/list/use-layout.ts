'use client'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { ServerLayout, type ServerLayoutChange } from '#contracts/http/server-layout.ts'
import { arranged, changedLayout } from '#domain/servers/list-layout.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'

const PATH = '/api/user/server-layout'
const KEY = ['server-layout'] as const
const HEAL_EVERY_MS = 10_000

export const layoutQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(PATH, { schema: ServerLayout, signal }),
    staleTime: 15_000,
    refetchInterval: ({ state }) => (state.status === 'error' ? HEAL_EVERY_MS : false),
  })

/**
 * The reader's order and groups, and how to change them. A change shows immediately and is sent after those before it; the answer
 * contains what other browsers have changed meanwhile. A refused one is undone and explained.
 */
export const useLayout = () => {
  const client = useQueryClient()
  const toast = useToast()
  const failureText = useFailureText()
  const query = useQuery(layoutQuery())
  const { mutateAsync } = useMutation({
    mutationKey: KEY,
    scope: { id: KEY[0] },
    mutationFn: (change: ServerLayoutChange) =>
      api.call(PATH, { method: 'POST', body: change, schema: ServerLayout, keepalive: true }),
    onSuccess: (layout) => {
      // While further changes wait, the page is already ahead of this answer.
      if (client.isMutating({ mutationKey: KEY }) === 1) client.setQueryData(KEY, layout)
    },
    onError: () => void client.invalidateQueries({ queryKey: KEY }),
  })
  const change = useMemo(() => {
    const show = async (wish: ServerLayoutChange): Promise<void> => {
      const known = client.getQueryData<ServerLayout>(KEY)
      const ids = (client.getQueryData<Server[]>(keys.servers) ?? []).map(({ id }) => id)
      await client.cancelQueries({ queryKey: KEY })
      const result = known && changedLayout(arranged(known, ids), wish)
      if (result?.ok) client.setQueryData(KEY, ServerLayout.parse(result.layout))
      await mutateAsync(wish)
    }
    /** Resolves with the failure, if there was one. A form shows it; without a form it is told in a toast. */
    return {
      tell: (wish: ServerLayoutChange): void =>
        void show(wish).catch((failure: unknown) => toast({ lamp: 'crash', text: failureText(failure) })),
      ask: show,
    }
  }, [client, mutateAsync, toast, failureText])
  return { query, change }
}
