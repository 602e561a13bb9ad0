import { askControlPlane } from '../ask-control-plane.ts'
import { recordConsent } from '../record-consent.ts'
import { controlPlane } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

/** The catalog and orders. */
export const ordersArea = {
  'POST /api/orders': async (call) => {
    // Every order accepts the terms, as the text of its button says.
    await recordConsent('order', { ...call, termsVersion: call.input.termsVersion })
    return { body: await askControlPlane('order', { request: call.input }, call) }
  },
  'GET /api/services': async ({ locale, requestId }) => ({
    body: await controlPlane().call('services', { locale }, { locale, requestId }),
  }),
} satisfies ApiArea
