import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/payments', async (call) => ({
  body: await askControlPlane('staff-payments', call.query, call),
}))
