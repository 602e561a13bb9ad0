import { cookieName, readCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { login } from '@/identity/login.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/env.ts'
import { sessionCookies, tokenAnswer } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/login', async ({ input, headers, address, userAgent }) => {
  const device = readCookie(headers.get('cookie'), cookieName('device', siteSettings().isSecure))
  const attempt = { name: input.username, password: input.password, device }
  const answer = await login(identity(), attempt, { address, userAgent })
  if (answer.ok) return { body: tokenAnswer(answer.tokens), cookies: sessionCookies(answer.tokens, answer.device) }
  const { code } = answer
  throw new ApiError(code, code === 'TOO_MANY_REQUESTS' ? { retryAfterSeconds: answer.retryAfterSeconds } : {})
})
