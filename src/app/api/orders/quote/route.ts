import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/orders/quote', async (call) => ({
  body: await askControlPlane('quote', { request: call.input }, call),
}))
