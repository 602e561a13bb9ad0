import { identity } from '@/identity/dependencies.ts'
import { removePasskey } from '@/identity/factors/passkeys.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/passkeys/{id}/remove', async (call) => {
  const { password, code } = call.input
  const removal = { person: personOf(call), id: call.path.id, password, code }
  const answer = await removePasskey(identity(), removal, call)
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
