import { identity } from '@/identity/dependencies.ts'
import { resetPassword } from '@/identity/accounts/reset-password.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'
import { announceEnd, clearedCookies } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/passwordreset/confirm', async (call) => {
  const { token, password } = call.input
  const answer = await resetPassword(identity(), { token, password }, call)
  if (!answer.ok) throw refused(answer)
  await announceEnd({ userId: answer.userId, sessionId: null }, call.requestId)
  return { body: {}, cookies: clearedCookies() }
})
