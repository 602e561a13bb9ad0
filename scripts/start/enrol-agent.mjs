import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { readPrivately } from './data-folder.mjs'

/** The file of the agent's identity after its enrolment. */
const IDENTITY_FILE = 'agent/identity.json'

/**
 * Gets the single-use enrolment token of this machine's agent from the control plane. Resolves with '' if the agent has
 * enrolled before.
 */
export async function enrolAgent({ settings, secrets, addresses, stateFile }) {
  if (existsSync(join(settings.dataDir, IDENTITY_FILE))) return ''
  const { adminId, computerId } = readPrivately(stateFile)
  const grants = { isAdmin: true, isSupport: false, isVerified: true }
  const answer = await fetch(`${addresses.controlPlaneInternal}/internal/enrolment-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-secret': secrets.internalSecret },
    body: JSON.stringify({
      caller: { userId: adminId, sessionId: null, locale: 'en', address: '127.0.0.1', ...grants },
      computerId,
    }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`The control plane gives no enrolment token: ${answer.status} ${await answer.text()}`)
  return (await answer.json()).token
}
