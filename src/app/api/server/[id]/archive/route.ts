import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/archive', async (call) => ({
  body: await askControlPlane('archive-access', { serverId: call.path.id }, call),
}))
