import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { recordConsent } from '@/lib/record-consent.ts'

export const POST = apiHandler('POST /api/server/{id}/conversion', async (call) => {
  // The terms are accepted with every order: its button says so.
  await recordConsent('order', { ...call, termsVersion: call.input.termsVersion })
  return { body: await askControlPlane('convert-server', { serverId: call.path.id, request: call.input }, call) }
})
