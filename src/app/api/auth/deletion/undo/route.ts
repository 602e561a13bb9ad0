import { identity } from '@/identity/dependencies.ts'
import { undoByChallenge, undoByLink } from '@/identity/accounts/leave-account.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { browserSecrets, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/deletion/undo', async (call) => {
  const { token, challenge } = call.input
  if ((token === undefined) === (challenge === undefined)) throw new ApiError('BAD_REQUEST')
  const shown = { token: challenge ?? '', browser: browserSecrets(call.headers).browser }
  const answer =
    token === undefined ? await undoByChallenge(identity(), shown, call) : await undoByLink(identity(), token, call)
  if (!answer.ok) throw refused(answer)
  return { body: {} }
})
