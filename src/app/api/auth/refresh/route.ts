import { cookieName, readCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { refreshSession } from '@/identity/sessions.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { announceEnd, clearedCookies, sessionCookies, tokenAnswer } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/refresh', async ({ input, headers, requestId, address }) => {
  const cookie = readCookie(headers.get('cookie'), cookieName('refresh', siteSettings().isSecure))
  const presented = input.refresh_token ?? cookie
  if (presented === null) throw new ApiError('UNAUTHENTICATED', { cookies: clearedCookies() })
  const answer = await refreshSession(identity(), presented, { address })
  if (answer.ok) return { body: tokenAnswer(answer.tokens), cookies: sessionCookies(answer.tokens) }
  if (answer.code === 'TOKEN_REUSED') await announceEnd(answer.ended, requestId)
  throw new ApiError(answer.code, { cookies: clearedCookies() })
})
