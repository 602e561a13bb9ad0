import { askControlPlane } from '../ask-control-plane.ts'
import { recordConsent } from '../record-consent.ts'
import { controlPlane } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

/** The catalog, and orders from it. */
export const ordersArea = {
  'POST /api/orders': async (call) => {
    // The terms are accepted with every order: its button says so.
    await recordConsent('order', { ...call, termsVersion: call.input.termsVersion })
    return { body: await askControlPlane('order', { request: call.input }, call) }
  },
  'GET /api/services': async ({ locale, requestId }) => ({
    body: await controlPlane().call('services', { locale }, { locale, requestId }),
  }),
} satisfies ApiArea
