import { confirmEmailChange } from '@/identity/accounts/change-email.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/email/confirm', async ({ input }) => {
  const answer = await confirmEmailChange(identity(), input.token)
  if (!answer.ok) throw refused(answer)
  return { body: { email: answer.email } }
})
