import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance/transactions/{id}', async (call) => ({
  body: await askControlPlane('transaction', { transactionId: call.path.id }, call),
}))
