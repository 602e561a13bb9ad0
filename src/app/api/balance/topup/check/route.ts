import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/balance/topup/check', async (call) => ({
  body: await askControlPlane('topup-check', call.input, call),
}))
