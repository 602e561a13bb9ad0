import { setCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { login } from '@/identity/login.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { browserSecrets, refusedSignIn } from '@/lib/person.ts'
import { sessionCookies, tokenAnswer } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/login', async ({ input, headers, address, userAgent }) => {
  const attempt = { name: input.username, password: input.password, code: input.code, ...browserSecrets(headers) }
  const answer = await login(identity(), attempt, { address, userAgent })
  if (answer.ok) return { body: tokenAnswer(answer.tokens), cookies: sessionCookies(answer.tokens, answer.device) }
  if (answer.code !== 'OTP_REQUIRED') throw refusedSignIn(answer)
  const { challenge, factors } = answer
  throw new ApiError('OTP_REQUIRED', {
    // One half of the challenge; it is worth nothing without the cookie.
    params: {
      challenge: challenge.token,
      factors: [...(factors.totp ? ['totp'] : []), ...(factors.passkeys > 0 ? ['passkey'] : [])].join(' '),
    },
    cookies: [setCookie('challenge', challenge.browser, siteSettings().isSecure)],
  })
})
