import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/ledger/audit', async (call) => ({
  body: await askControlPlane('staff-ledger-audit', {}, call),
}))
