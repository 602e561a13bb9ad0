'use client'
import { useQueryClient } from '@tanstack/react-query'
import { ProfileSettings } from '#contracts/http/user.ts'
import type { User } from '#contracts/http/user.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/** Saves a part of the person's own settings, and updates the whole page. Throws ApiFailure. */
export const useSaveProfile = () => {
  const client = useQueryClient()
  return async (part: Partial<ProfileSettings>): Promise<ProfileSettings> => {
    const saved = await api.call('/api/user/me', { method: 'PATCH', body: part, schema: ProfileSettings })
    client.setQueryData<User>(keys.me, (me) => (me ? { ...me, ...saved } : me))
    return saved
  }
}
