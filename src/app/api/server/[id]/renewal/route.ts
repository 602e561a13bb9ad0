import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/server/{id}/renewal', async (call) => ({
  body: await askControlPlane('renewal-quote', { serverId: call.path.id, months: call.query.months }, call),
}))
