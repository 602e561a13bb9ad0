'use client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { PremiumView } from '#contracts/http/premium.ts'
import { SpinPage, SpinProof, WheelView } from '#contracts/http/spin.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

export const prizeKeys = {
  premium: ['premium'],
  wheel: ['wheel'],
  spins: ['wheel', 'spins'],
  proof: (id: string) => ['wheel', 'proof', id],
} as const

export const premiumQuery = () =>
  queryOptions({
    queryKey: prizeKeys.premium,
    queryFn: ({ signal }) => api.call('/api/premium', { schema: PremiumView, signal }),
    staleTime: 15_000,
  })

export const wheelQuery = () =>
  queryOptions({
    queryKey: prizeKeys.wheel,
    queryFn: ({ signal }) => api.call('/api/spin', { schema: WheelView, signal }),
    staleTime: 15_000,
  })

export const spinsQuery = () =>
  infiniteQueryOptions({
    queryKey: prizeKeys.spins,
    queryFn: ({ signal, pageParam }) =>
      api.call(`/api/spin/history?limit=20${pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`}`, {
        schema: SpinPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: 15_000,
  })

export const proofQuery = (id: string) =>
  queryOptions({
    queryKey: prizeKeys.proof(id),
    queryFn: ({ signal }) => api.call(`/api/spin/${encodeURIComponent(id)}`, { schema: SpinProof, signal }),
    staleTime: Infinity,
  })
