import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/withdrawal/confirm', async (call) => ({
  body: await askControlPlane('confirm-withdrawal', { request: call.input }, call),
}))
