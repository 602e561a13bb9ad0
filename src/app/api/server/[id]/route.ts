import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/server/{id}', async (call) => ({
  body: await askControlPlane('server', { serverId: call.path.id }, call),
}))
