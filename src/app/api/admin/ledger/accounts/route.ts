import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/ledger/accounts', async (call) => ({
  body: await askControlPlane('staff-ledger-accounts', call.query, call),
}))
