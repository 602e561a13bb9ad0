import { askControlPlane } from '../ask-control-plane.ts'
import type { ApiArea } from '../api-call.ts'

/** Calls about one person or one shared range of a server: both ids are in the path. */
export const collaboratorsArea = {
  'PUT /api/server/{id}/users/{userId}': async (call) => {
    const { id: serverId, userId } = call.path
    return { body: await askControlPlane('change-collaborator', { serverId, userId, request: call.input }, call) }
  },
  'DELETE /api/server/{id}/users/{userId}': async (call) => {
    const { id: serverId, userId } = call.path
    return { body: await askControlPlane('remove-collaborator', { serverId, userId }, call) }
  },
  'DELETE /api/server/{id}/log-shares/{shareId}': async (call) => {
    const { id: serverId, shareId } = call.path
    return { body: await askControlPlane('end-log-share', { serverId, shareId }, call) }
  },
} satisfies ApiArea
