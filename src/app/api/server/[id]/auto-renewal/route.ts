import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const PUT = apiHandler('PUT /api/server/{id}/auto-renewal', async (call) => ({
  body: await askControlPlane('auto-renewal', { serverId: call.path.id, change: call.input }, call),
}))
