import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/renew', async (call) => ({
  body: await askControlPlane('renew', { serverId: call.path.id, request: call.input }, call),
}))
