import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/user/notifications/push/remove', async (call) => ({
  body: await askControlPlane('unsubscribe-push', {}, call),
}))
