import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/spin', async (call) => ({
  body: await askControlPlane('wheel', {}, call),
}))

export const POST = apiHandler('POST /api/spin', async (call) => ({
  body: await askControlPlane('spin', { request: call.input }, call),
}))
