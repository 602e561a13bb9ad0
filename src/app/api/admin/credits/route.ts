import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/credits', async (call) => ({
  body: await askControlPlane('manual-credit', call.input, call),
}))
