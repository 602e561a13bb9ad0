import type { InternalCallName } from '#contracts/internal-api/calls.ts'
import { isPermission, PERMISSION_OF_CALL, type Permission } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'

/** The further things that a call about a server names: a port of it, and somebody with whom it is shared. */
export type NamedThings = { readonly portId: string; readonly userId: string }

export type Asked = { readonly call: InternalCallName; readonly input?: (things: NamedThings) => object }
const sharing = { permissions: ['console.read'], endsAt: null }

const identity = { name: 'shared', description: '' }
const operation = { timeZone: null, autoStart: true, stopTimeoutS: 30 }

/** The route's call of the control plane. One that every visitor has, and those of the owner alone, name no permission. */
export const ASKED = {
  'GET /api/server/{id}/ws': { call: 'console-access' },
  'POST /api/server/{id}/power': { call: 'power' },
  'POST /api/server/{id}/token': { call: 'node-token' },
  'GET /api/server/{id}/ports': { call: 'server-ports' },
  'POST /api/server/{id}/ports': { call: 'add-port', input: () => ({ note: '' }) },
  'PATCH /api/server/{id}/ports/{portId}': { call: 'note-port', input: ({ portId }) => ({ portId, note: '' }) },
  'DELETE /api/server/{id}/ports/{portId}': { call: 'remove-port', input: ({ portId }) => ({ portId }) },
  'POST /api/server/{id}/ports/{portId}/primary': {
    call: 'make-port-primary',
    input: ({ portId }) => ({ portId }),
  },
  'POST /api/server/{id}/ports/{portId}/check': { call: 'check-port', input: ({ portId }) => ({ portId }) },
  'GET /api/server/{id}/startup': { call: 'server-startup' },
  'PUT /api/server/{id}/startup': {
    call: 'change-startup',
    input: () => ({ change: { version: 0, variables: {} } }),
  },
  'PUT /api/server/{id}/startup/image': {
    call: 'change-startup-image',
    input: () => ({ change: { version: 0, image: '~game:1' } }),
  },
  'POST /api/server/{id}/startup/secret': { call: 'startup-secret', input: () => ({ variable: 'TOKEN' }) },
  'GET /api/server/{id}/activities': { call: 'server-activities' },
  'GET /api/server/{id}/users': { call: 'collaborators' },
  'GET /api/server/{id}/sharing': { call: 'sharing-room' },
  'POST /api/server/{id}/users': {
    call: 'invite-collaborator',
    input: () => ({ request: { ...sharing, email: 'nobody@example.test' } }),
  },
  'PUT /api/server/{id}/users/{userId}': {
    call: 'change-collaborator',
    input: ({ userId }) => ({ userId, request: { ...sharing, seen: sharing } }),
  },
  'DELETE /api/server/{id}/users/{userId}': { call: 'remove-collaborator', input: ({ userId }) => ({ userId }) },
  'GET /api/server/{id}/starts': { call: 'server-starts' },
  'GET /api/server/{id}/log-shares': { call: 'log-shares' },
  'POST /api/server/{id}/log-shares': {
    call: 'create-log-share',
    input: () => ({ request: { text: 'Done', hours: 1 } }),
  },
  'DELETE /api/server/{id}/log-shares/{shareId}': {
    call: 'end-log-share',
    input: () => ({ shareId: systemIds.next() }),
  },
  'POST /api/server/{id}/visit': { call: 'visit-panel' },
  'GET /api/server/{id}/known-errors': { call: 'server-known-errors' },
  'GET /api/server/{id}/described-files': { call: 'described-files' },
  'PUT /api/server/{id}/settings/identity': {
    call: 'change-identity',
    input: () => ({ change: { ...identity, seen: identity } }),
  },
  'PUT /api/server/{id}/settings/operation': {
    call: 'change-operation',
    input: () => ({ change: { ...operation, seen: operation } }),
  },
  'POST /api/server/{id}/reinstall': {
    call: 'reinstall-server',
    input: () => ({ request: { files: 'keep', name: 'another name' } }),
  },
  'POST /api/server/{id}/users/{userId}/see-as': { call: 'see-as', input: ({ userId }) => ({ userId }) },
} as const satisfies Partial<Record<keyof typeof PERMISSION_OF_CALL, Asked>>

export type PermissionRoute = keyof typeof PERMISSION_OF_CALL
/** The further facts in a request for a token, besides its purpose. */
const ofPurpose = (purpose: string) => ({ request: { purpose, ...(purpose === 'download' ? { path: 'world' } : {}) } })

/** Each form of a call that asks for a permission of its own. */
export const rowsOf = (
  route: PermissionRoute,
  things: NamedThings,
): { route: PermissionRoute; form: string; needs: Permission; input: object }[] => {
  const row = PERMISSION_OF_CALL[route]
  if (row === null || row === 'owner') return []
  const { input }: Asked = ASKED[route as keyof typeof ASKED]
  if (isPermission(row)) return [{ route, form: '', needs: row, input: input?.(things) ?? {} }]
  return Object.entries(row).map(([form, needs]) => ({
    route,
    form,
    needs,
    input: route.endsWith('/power') ? { action: form } : ofPurpose(form),
  }))
}
