'use client'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { FileAccess, NewAppPassword } from '#contracts/http/file-access.ts'
import type { AppPasswordRequest, SshKeyRequest } from '#contracts/http/file-access.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

const KEY = ['file-access'] as const

export const fileAccessQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call('/api/user/file-access', { schema: FileAccess, signal }),
  })

export const useFileAccessChanged = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: KEY })
}

const post = 'POST' as const

/** The calls that change keys and app passwords. Each throws ApiFailure. */
export const fileAccessCalls = {
  addKey: (body: SshKeyRequest) => api.call('/api/user/ssh-keys', { method: post, body, schema: Nothing }),
  removeKey: (id: string) => api.call(`/api/user/ssh-keys/${id}/remove`, { method: post, schema: Nothing }),
  addPassword: (body: AppPasswordRequest) =>
    api.call('/api/user/app-passwords', { method: post, body, schema: NewAppPassword }),
  removePassword: (id: string) => api.call(`/api/user/app-passwords/${id}/remove`, { method: post, schema: Nothing }),
}
