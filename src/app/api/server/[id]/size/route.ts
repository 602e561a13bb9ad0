import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/server/{id}/size', async (call) => ({
  body: await askControlPlane('server-size', { serverId: call.path.id }, call),
}))
