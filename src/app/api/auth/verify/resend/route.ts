import { identity } from '@/identity/dependencies.ts'
import { resendEmailCode } from '@/identity/accounts/verify-email.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/verify/resend', async ({ subject, address, requestId }) => {
  const answer = await resendEmailCode(identity(), { userId: subject.userId, address, requestId })
  if (!answer.ok) throw refused(answer)
  return { body: { resendAfterSeconds: answer.resendAfterSeconds } }
})
