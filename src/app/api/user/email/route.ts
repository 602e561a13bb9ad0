import { askForEmailChange } from '@/identity/accounts/change-email.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/email', async (call) => {
  const { email, password, code } = call.input
  const wish = { person: personOf(call), email, password, code, requestId: call.requestId }
  const answer = await askForEmailChange(identity(), wish, call)
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
