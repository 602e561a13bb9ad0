import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/proposals', async (call) => ({
  body: await askControlPlane('staff-proposals', { ...call.query, all: call.query.all ?? false }, call),
}))
