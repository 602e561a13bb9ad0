import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/spin/coupon', async (call) => ({
  body: await askControlPlane('spin-coupon', { request: call.input }, call),
}))
