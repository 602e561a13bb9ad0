import { askControlPlane } from '../ask-control-plane.ts'
import type { ApiArea } from '../api-call.ts'

/** Calls about one person of a server: both ids are in the path. */
export const collaboratorsArea = {
  'PUT /api/server/{id}/users/{userId}': async (call) => {
    const { id: serverId, userId } = call.path
    return { body: await askControlPlane('change-collaborator', { serverId, userId, request: call.input }, call) }
  },
  'DELETE /api/server/{id}/users/{userId}': async (call) => {
    const { id: serverId, userId } = call.path
    return { body: await askControlPlane('remove-collaborator', { serverId, userId }, call) }
  },
} satisfies ApiArea
