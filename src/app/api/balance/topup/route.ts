import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { siteSettings } from '@/lib/env.ts'

export const POST = apiHandler('POST /api/balance/topup', async (call) => ({
  body: await askControlPlane(
    'topup',
    { request: call.input, returnUrl: `${siteSettings().siteUrl}/dashboard/balance/ok` },
    call,
  ),
}))
