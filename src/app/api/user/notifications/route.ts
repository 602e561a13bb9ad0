import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { nextLink } from '@/lib/next-link.ts'

export const GET = apiHandler('GET /api/user/notifications', async (call) => {
  const items = await askControlPlane('notifications', call.query, call)
  return { body: items, headers: nextLink('/api/user/notifications', call.query, items) }
})
