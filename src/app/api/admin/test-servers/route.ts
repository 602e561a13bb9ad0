import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const POST = apiHandler('POST /api/admin/test-servers', async (call) => ({
  body: await askControlPlane('grant-test-server', { wanted: call.input }, call),
}))
