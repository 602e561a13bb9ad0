import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/server/{id}/ws', async (call) => ({
  body: await askControlPlane('console-access', { serverId: call.path.id }, call),
}))
