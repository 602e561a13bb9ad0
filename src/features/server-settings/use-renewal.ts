'use client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { AutoRenewal, RenewalQuote, RenewAnswer } from '#contracts/http/renewal.ts'
import type { RenewRequest } from '#contracts/http/renewal.ts'
import type { Server } from '#contracts/http/server.ts'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { mergeServers } from '@/lib/api-client/server-store.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}`
const renewalKey = (serverId: string) => [...keys.server(serverId), 'renewal']
const attemptKeys = createAttemptKeys(newRequestId)

/** What some months more cost now; the last answer stays on the page while the next one comes. */
export const renewalQuery = (serverId: string, months: number) =>
  queryOptions({
    queryKey: [...renewalKey(serverId), months],
    queryFn: ({ signal }) =>
      api.call(`${pathOf(serverId, 'renewal')}?months=${months}`, { schema: RenewalQuote, signal }),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Renews once, however often the button is pressed, for the price and from the expiry that the page shows. */
export const useRenew = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RenewRequest) =>
      api.call(pathOf(serverId, 'renew'), {
        ...{ method: 'POST', body, schema: RenewAnswer },
        idempotencyKey: attemptKeys.keyFor({ serverId, body }),
      }),
    onSuccess: ({ server }) => {
      attemptKeys.settle()
      client.setQueryData<Server[]>(keys.servers, (list) => mergeServers(list ?? [], [server]))
      client.setQueryData<Server>(keys.server(serverId), server)
    },
    // After a lost answer the same key asks for the same renewal again; any readable refusal settles the attempt.
    onError: (failure) => {
      if (!mayPass(failure)) attemptKeys.settle()
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.balance })
      // It is a contract of its own, and more time makes a change of size dearer.
      void client.invalidateQueries({ queryKey: keys.withdrawals })
      void client.invalidateQueries({ queryKey: [...keys.server(serverId), 'modification'] })
      void client.invalidateQueries({ queryKey: renewalKey(serverId) })
    },
  })
}

/** Switches the automatic renewal; the page shows the wish at once, and what the answer says after it. */
export const useAutoRenewal = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) =>
      api.call(pathOf(serverId, 'auto-renewal'), { method: 'PUT', body: { enabled }, schema: AutoRenewal }),
    onSettled: () => client.invalidateQueries({ queryKey: renewalKey(serverId) }),
  })
}
