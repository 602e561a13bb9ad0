import { identity } from '@/identity/dependencies.ts'
import { isLastAdministrator, leaveAccount } from '@/identity/accounts/leave-account.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { announceEnded, personOf, refused } from '@/lib/person.ts'
import { clearedCookies } from '@/lib/session.ts'

export const GET = apiHandler('GET /api/user/deletion', async (call) => ({
  body: {
    ...(await askControlPlane('departure', {}, call)),
    isLastAdministrator: await isLastAdministrator(identity().db, call.subject.userId),
  },
}))

export const POST = apiHandler('POST /api/user/deletion', async (call) => {
  const { password, code, waiveBalanceFt = 0, giveUpServers = false } = call.input
  const figures = await askControlPlane('departure', {}, call)
  const waiver = { balanceFt: waiveBalanceFt, servers: giveUpServers }
  const wish = { person: personOf(call), password, code, waiver, figures, requestId: call.requestId }
  const answer = await leaveAccount(identity(), wish, call)
  if (!answer.ok) throw refused(answer)
  await announceEnded(call.subject.userId, answer.endedSessions, call.requestId)
  return { body: { eraseAt: answer.eraseAt.toISOString() }, cookies: clearedCookies() }
})
