import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/user/notifications/push', async (call) => ({
  body: await askControlPlane('subscribe-push', { subscription: call.input }, call),
}))
