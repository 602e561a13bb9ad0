import { askControlPlane } from '../ask-control-plane.ts'
import { recordConsent, recordImmediateStart } from '../record-consent.ts'
import type { ApiArea } from '../api-call.ts'

/** Purchases of server time, each preceded by a consent. */
export const serverArea = {
  'PUT /api/server/{id}/auto-renewal': async (call) => {
    if (call.input.enabled) await recordImmediateStart(call)
    return { body: await askControlPlane('auto-renewal', { serverId: call.path.id, change: call.input }, call) }
  },
  'POST /api/server/{id}/conversion': async (call) => {
    // Every order accepts the terms, as the text of its button says.
    await recordConsent('order', { ...call, termsVersion: call.input.termsVersion })
    return { body: await askControlPlane('convert-server', { serverId: call.path.id, request: call.input }, call) }
  },
  'POST /api/server/{id}/renew': async (call) => {
    await recordImmediateStart(call)
    return { body: await askControlPlane('renew', { serverId: call.path.id, request: call.input }, call) }
  },
} satisfies ApiArea
