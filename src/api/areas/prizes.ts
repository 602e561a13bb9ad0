import { askControlPlane } from '../ask-control-plane.ts'
import { recordImmediateStart } from '../record-consent.ts'
import type { ApiArea } from '../api-call.ts'

/** Premium. */
export const prizesArea = {
  'POST /api/premium': async (call) => {
    await recordImmediateStart(call)
    return { body: await askControlPlane('buy-premium', { request: call.input }, call) }
  },
} satisfies ApiArea
