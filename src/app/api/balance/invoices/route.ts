import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance/invoices', async (call) => ({
  body: await askControlPlane('invoices', call.query, call),
}))
