import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/spin/history', async (call) => ({
  body: await askControlPlane('spins', call.query, call),
}))
