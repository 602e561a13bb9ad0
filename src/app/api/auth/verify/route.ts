import { identity } from '@/identity/dependencies.ts'
import { verifyEmail } from '@/identity/accounts/verify-email.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/verify', async ({ subject, input }) => {
  const answer = await verifyEmail(identity(), { userId: subject.userId, code: input.code, email: input.email })
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
