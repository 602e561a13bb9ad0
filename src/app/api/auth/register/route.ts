import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { identity } from '@/identity/dependencies.ts'
import { register } from '@/identity/register.ts'

export const POST = apiHandler('POST /api/auth/register', async ({ input, locale, address, userAgent }) => {
  const { username, email, password } = input
  const answer = await register(identity(), { username, email, password, language: locale }, { address, userAgent })
  if (answer.ok) return { body: { username: answer.username } }
  const { code } = answer
  throw new ApiError(code, 'retryAfterSeconds' in answer ? { retryAfterSeconds: answer.retryAfterSeconds } : {})
})
