import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { recordImmediateStart } from '@/lib/record-consent.ts'

export const POST = apiHandler('POST /api/server/{id}/renew', async (call) => {
  await recordImmediateStart(call)
  return { body: await askControlPlane('renew', { serverId: call.path.id, request: call.input }, call) }
})
