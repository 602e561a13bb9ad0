import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { recordConsent } from '@/lib/record-consent.ts'

export const POST = apiHandler('POST /api/balance/topup', async (call) => {
  // Without it the control plane refuses the top-up, and there is nothing to record.
  if (call.input.acceptTerms) await recordConsent('topup', { ...call, termsVersion: call.input.termsVersion })
  const returnUrl = `${siteSettings().siteUrl}/dashboard/balance/ok`
  // Without a key of the caller each request begins a payment of its own.
  const idempotencyKey = call.idempotencyKey ?? identity().ids.next()
  return { body: await askControlPlane('topup', { request: call.input, returnUrl }, { ...call, idempotencyKey }) }
})
