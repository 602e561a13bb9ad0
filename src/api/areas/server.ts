import { identity } from '../../identity/dependencies.ts'
import { readPictureIds } from '../../identity/people/profile-picture.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { recordConsent, recordImmediateStart } from '../record-consent.ts'
import { peopleIn, shownActivities } from '../shown-activities.ts'
import type { ApiArea } from '../api-call.ts'

/** Purchases of server time, each preceded by a consent, and the activities of a server. */
export const serverArea = {
  'GET /api/server/{id}/activities': async (call) => {
    const found = await askControlPlane('server-activities', { serverId: call.path.id, ...call.query }, call)
    const { db, places } = identity()
    const pictures = await readPictureIds(db, peopleIn(found))
    return { body: shownActivities(found, { pictures, placeOf: (address) => places.of(address, call.locale) }) }
  },
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
