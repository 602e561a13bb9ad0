import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/withdrawal', async (call) => ({
  body: await askControlPlane('withdrawals', {}, call),
}))

export const POST = apiHandler('POST /api/withdrawal', async (call) => ({
  body: await askControlPlane('begin-withdrawal', { request: call.input }, call),
}))
