import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { recordImmediateStart } from '@/lib/record-consent.ts'

export const PUT = apiHandler('PUT /api/server/{id}/auto-renewal', async (call) => {
  if (call.input.enabled) await recordImmediateStart(call)
  return { body: await askControlPlane('auto-renewal', { serverId: call.path.id, change: call.input }, call) }
})
