import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/orders', async (call) => ({
  body: await askControlPlane('order', { request: call.input }, call),
}))
