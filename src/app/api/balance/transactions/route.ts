import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance/transactions', async (call) => ({
  body: await askControlPlane('transactions', call.query, call),
}))
