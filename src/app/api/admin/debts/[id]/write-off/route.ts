import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/debts/{id}/write-off', async (call) => ({
  body: await askControlPlane('write-off-debt', { userId: call.path.id, ...call.input }, call),
}))
