import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/ledger/days', async (call) => ({
  body: await askControlPlane('staff-ledger-days', call.query, call),
}))
