import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/payments/{id}/refund', async (call) => ({
  body: await askControlPlane('refund-payment', { paymentId: call.path.id, ...call.input }, call),
}))
