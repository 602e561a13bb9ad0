import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/user/notifications/settings', async (call) => ({
  body: await askControlPlane('notification-settings', {}, call),
}))

export const PUT = apiHandler('PUT /api/user/notifications/settings', async (call) => ({
  body: await askControlPlane('change-notification-settings', call.input, call),
}))
