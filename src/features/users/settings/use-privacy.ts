'use client'
import { queryOptions } from '@tanstack/react-query'
import { Nothing } from '#contracts/primitives.ts'
import { DeletionAnswer, DepartureState, DiscordBegun } from '#contracts/http/privacy.ts'
import type { DeletionRequest } from '#contracts/http/privacy.ts'
import type { ProofRequest } from '#contracts/http/second-factor.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

/** Read when the dialog opens, because a decision needs current data. */
export const departureQuery = () =>
  queryOptions({
    queryKey: ['departure'],
    queryFn: ({ signal }) => api.call('/api/user/deletion', { schema: DepartureState, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Settings calls about personal data. Each throws ApiFailure. */
export const privacyCalls = {
  linkDiscord: (next: string) =>
    api.call('/api/user/discord', { method: 'POST', body: { next }, schema: DiscordBegun }),
  unlinkDiscord: () => api.call('/api/user/discord', { method: 'DELETE', schema: Nothing }),
  exportData: (proof: ProofRequest) => api.download('/api/user/export', proof),
  deleteAccount: (body: DeletionRequest) =>
    api.call('/api/user/deletion', { method: 'POST', body, schema: DeletionAnswer }),
}
