import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/payments/{id}/dispute', async (call) => ({
  body: await askControlPlane('close-dispute', { paymentId: call.path.id, ...call.input }, call),
}))
