import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/proposals/{id}', async (call) => ({
  body: await askControlPlane('decide-proposal', { proposalId: call.path.id, ...call.input }, call),
}))
