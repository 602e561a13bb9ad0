'use client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { KeptPackage, PackageChangeAnswer, ServerPackages } from '#contracts/http/package-change.ts'
import type { PackageChangeRequest } from '#contracts/http/package-change.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useServerPurchase } from './use-server-purchase.ts'

const pathOf = (serverId: string, call: string) => `/api/server/${encodeURIComponent(serverId)}/${call}` as const

const keyOf = (serverId: string) => [...keys.server(serverId), 'packages']

/** The package of a server and the others, each at its current price. */
export const packagesQuery = (serverId: string) =>
  queryOptions({
    queryKey: keyOf(serverId),
    queryFn: ({ signal }) => api.call(pathOf(serverId, 'packages'), { schema: ServerPackages, signal }),
    staleTime: 15_000,
    retry: false,
  })

/** Changes the package, for the displayed sum. */
export const useChangePackage = (serverId: string) =>
  useServerPurchase<PackageChangeRequest, typeof PackageChangeAnswer>({
    serverId,
    call: 'package',
    schema: PackageChangeAnswer,
  })

/** Cancels the planned change. */
export const useKeepPackage = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(pathOf(serverId, 'package/keep'), { method: 'POST', body: {}, schema: KeptPackage }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.server(serverId) }),
  })
}
