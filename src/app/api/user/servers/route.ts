import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { nextLink } from '@/lib/next-link.ts'

export const GET = apiHandler('GET /api/user/servers', async (call) => {
  const items = await askControlPlane('servers', call.query, call)
  return { body: items, headers: nextLink('/api/user/servers', call.query, items) }
})
