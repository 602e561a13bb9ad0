import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/unmatched', async (call) => ({
  body: await askControlPlane('unmatched-payments', { ...call.query, all: call.query.all ?? false }, call),
}))
