import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/servers', async (call) => ({
  body: await askControlPlane('staff-servers', call.query, call),
}))
