import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/user/notifications/read', async (call) => ({
  body: await askControlPlane('read-notifications', call.input, call),
}))
