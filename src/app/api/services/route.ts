import { apiHandler } from '@/lib/api-handler.ts'
import { controlPlane } from '@/lib/session.ts'

export const GET = apiHandler('GET /api/services', async ({ locale, requestId }) => ({
  body: await controlPlane().call('services', { locale }, { locale, requestId }),
}))
