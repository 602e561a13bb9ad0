import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/spin/buy', async (call) => ({
  body: await askControlPlane('buy-spins', { request: call.input }, call),
}))
