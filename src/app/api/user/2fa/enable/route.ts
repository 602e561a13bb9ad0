import { identity } from '@/identity/dependencies.ts'
import { turnTotpOn } from '@/identity/factors/factor-setup.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { announceEnded, personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/2fa/enable', async (call) => {
  const answer = await turnTotpOn(identity(), { person: personOf(call), code: call.input.code }, call)
  if (!answer.ok) throw refused(answer)
  await announceEnded(call.subject.userId, answer.endedSessions, call.requestId)
  return { body: { recoveryCodes: answer.recoveryCodes === null ? null : [...answer.recoveryCodes] } }
})
