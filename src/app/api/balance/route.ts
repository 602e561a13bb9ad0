import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance', async (call) => ({
  body: await askControlPlane('balance', {}, call),
}))
