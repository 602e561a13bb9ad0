import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/server/{id}/conversion/quote', async (call) => ({
  body: await askControlPlane('conversion-quote', { serverId: call.path.id, request: call.input }, call),
}))
