'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AutoRenewal, RenewalQuote, RenewAnswer } from '#contracts/http/renewal.ts'
import type { RenewRequest } from '#contracts/http/renewal.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useQuote } from '@/lib/ordering/use-quote.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useServerPurchase } from './use-server-purchase.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}`
const renewalKey = (serverId: string) => [...keys.server(serverId), 'renewal']

/** The current price of a number of months. */
export const useRenewalQuote = (serverId: string, months: number) =>
  useQuote({
    queryKey: renewalKey(serverId),
    request: { months },
    ask: (request, signal) =>
      api.call(`${pathOf(serverId, 'renewal')}?months=${request.months}`, { schema: RenewalQuote, signal }),
  })

/** Renews for the displayed price and from the displayed expiry. */
export const useRenew = (serverId: string) =>
  useServerPurchase<RenewRequest, typeof RenewAnswer>({ serverId, call: 'renew', schema: RenewAnswer })

/** Switches automatic renewal; the page shows the choice at once, and then the response. */
export const useAutoRenewal = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) =>
      api.call(pathOf(serverId, 'auto-renewal'), { method: 'PUT', body: { enabled }, schema: AutoRenewal }),
    onSettled: () => client.invalidateQueries({ queryKey: renewalKey(serverId) }),
  })
}
