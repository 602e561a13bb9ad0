import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/servers/{id}/refund', async (call) => ({
  body: await askControlPlane('refund-server-quote', { serverId: call.path.id }, call),
}))

export const POST = apiHandler('POST /api/admin/servers/{id}/refund', async (call) => ({
  body: await askControlPlane('refund-server', { serverId: call.path.id, ...call.input }, call),
}))
