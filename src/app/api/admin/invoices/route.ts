import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/invoices', async (call) => ({
  body: await askControlPlane('staff-invoices', call.query, call),
}))
