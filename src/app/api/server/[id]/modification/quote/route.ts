import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/modification/quote', async (call) => ({
  body: await askControlPlane('modification-quote', { serverId: call.path.id, request: call.input }, call),
}))
