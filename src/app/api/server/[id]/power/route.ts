import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/power', async (call) => ({
  body: await askControlPlane('power', { serverId: call.path.id, ...call.input }, call),
}))
