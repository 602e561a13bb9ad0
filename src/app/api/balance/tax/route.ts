import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance/tax', async (call) => ({
  body: await askControlPlane('tax-profile', {}, call),
}))
