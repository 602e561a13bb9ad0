import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/transactions', async (call) => ({
  body: await askControlPlane('staff-transactions', call.query, call),
}))
