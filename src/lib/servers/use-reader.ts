'use client'
import { useQuery } from '@tanstack/react-query'
import type { User } from '#contracts/http/user.ts'
import { useSeeing } from './use-seeing.ts'
import { meQuery } from '@/lib/queries/queries.ts'

type Reader = Pick<User, 'id' | 'username' | 'role'>

/**
 * The person for whom a page of the panel is drawn: the reader, or the collaborator as whom they look, who has no role
 * here.
 */
export const useReader = (): Reader | undefined => {
  const me = useQuery(meQuery()).data
  const seen = useSeeing()
  if (me === undefined || seen === null) return me
  return { id: seen.id, username: seen.name, role: [] }
}
