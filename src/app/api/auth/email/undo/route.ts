import { undoEmailChange } from '@/identity/accounts/change-email.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'
import { announceEnd, clearedCookies } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/email/undo', async ({ input, requestId }) => {
  const answer = await undoEmailChange(identity(), input.token)
  if (!answer.ok) throw refused(answer)
  await announceEnd({ userId: answer.userId, sessionId: null }, requestId)
  return { body: { email: answer.email }, cookies: clearedCookies() }
})
