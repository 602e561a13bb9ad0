import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/spin/{id}', async (call) => ({
  body: await askControlPlane('spin-proof', { spinId: call.path.id }, call),
}))
