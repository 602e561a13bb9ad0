import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/billing-clock', async (call) => ({
  body: await askControlPlane('billing-clock', {}, call),
}))

export const POST = apiHandler('POST /api/admin/billing-clock', async (call) => ({
  body: await askControlPlane('confirm-billing-clock', {}, call),
}))
