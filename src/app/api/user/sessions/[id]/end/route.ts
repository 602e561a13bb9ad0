import { identity } from '@/identity/dependencies.ts'
import { endOwnSession } from '@/identity/sessions/list-sessions.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { announceEnd } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/user/sessions/{id}/end', async (call) => {
  const { path, requestId } = call
  const { userId } = call.subject
  if (!(await endOwnSession(identity(), { userId, id: path.id }, call))) throw new ApiError('NOT_FOUND')
  await announceEnd({ userId, sessionId: path.id }, requestId)
  return { body: {} }
})
