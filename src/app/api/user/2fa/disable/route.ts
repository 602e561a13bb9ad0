import { identity } from '@/identity/dependencies.ts'
import { turnTotpOff } from '@/identity/factors/factor-setup.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/2fa/disable', async (call) => {
  const { password, code } = call.input
  const answer = await turnTotpOff(identity(), { person: personOf(call), password, code }, call)
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
