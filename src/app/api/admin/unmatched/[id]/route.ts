import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/unmatched/{id}', async (call) => ({
  body: await askControlPlane('assign-unmatched', { unmatchedId: call.path.id, ...call.input }, call),
}))
