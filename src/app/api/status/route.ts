import { apiHandler } from '@/lib/api-handler.ts'
import { controlPlane } from '@/lib/session.ts'

export const GET = apiHandler('GET /api/status', async ({ requestId }) => {
  const answers = await controlPlane()
    .call('node-origins', {}, { requestId, timeoutMs: 2_000 })
    .then(
      () => true,
      () => false,
    )
  return { body: { site: 'up', controlPlane: answers ? 'up' : 'down' } }
})
