import { changePassword } from '@/identity/accounts/change-password.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { announceEnded, personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/password', async (call) => {
  const { currentPassword, code, password } = call.input
  const answer = await changePassword(identity(), { person: personOf(call), currentPassword, code, password }, call)
  if (!answer.ok) throw refused(answer)
  await announceEnded(call.subject.userId, answer.ended, call.requestId)
  return { body: { ended: answer.ended.length } }
})
