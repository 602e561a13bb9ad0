import { identity } from '@/identity/dependencies.ts'
import { askForReset } from '@/identity/accounts/reset-password.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/passwordreset', async (call) => {
  const { locale: language, requestId, address, userAgent } = call
  const answer = await askForReset(identity(), { email: call.input.email, language, requestId }, { address, userAgent })
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
