import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/modification', async (call) => ({
  body: await askControlPlane('modify-server', { serverId: call.path.id, request: call.input }, call),
}))
