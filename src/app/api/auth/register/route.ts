import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { identity } from '@/identity/dependencies.ts'
import { register } from '@/identity/accounts/register.ts'

export const POST = apiHandler('POST /api/auth/register', async (call) => {
  const { input, locale: language, address, userAgent, requestId } = call
  const { username, email, password } = input
  const person = { username, email, password, language, requestId }
  const answer = await register(identity(), person, { address, userAgent })
  if (answer.ok) return { body: { username: answer.username } }
  const { code } = answer
  throw new ApiError(code, 'retryAfterSeconds' in answer ? { retryAfterSeconds: answer.retryAfterSeconds } : {})
})
