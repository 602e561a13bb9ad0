import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { recordImmediateStart } from '@/lib/record-consent.ts'

export const GET = apiHandler('GET /api/premium', async (call) => ({
  body: await askControlPlane('premium', {}, call),
}))

export const POST = apiHandler('POST /api/premium', async (call) => {
  await recordImmediateStart(call)
  return { body: await askControlPlane('buy-premium', { request: call.input }, call) }
})
