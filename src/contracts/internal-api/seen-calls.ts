import type { InternalCallName } from './calls.ts'

/**
 * The calls that are answered to somebody who looks at a server as a collaborator, each with the call of the control plane
 * behind it. They change nothing; every other call is refused with `SEEING_AS`.
 */
export const SEEN_CALLS = {
  'GET /api/server/{id}': 'server',
  'GET /api/server/{id}/ws': 'console-access',
  'GET /api/server/{id}/starts': 'server-starts',
  'GET /api/server/{id}/known-errors': 'server-known-errors',
  'GET /api/server/{id}/described-files': 'described-files',
  'POST /api/server/{id}/token': 'node-token',
  'GET /api/server/{id}/ports': 'server-ports',
  'GET /api/server/{id}/startup': 'server-startup',
  'GET /api/server/{id}/settings': 'server-settings',
  'GET /api/server/{id}/activities': 'server-activities',
  'GET /api/server/{id}/users': 'collaborators',
  'GET /api/server/{id}/sharing': 'sharing-room',
} as const satisfies Record<string, InternalCallName>

const INTERNAL: readonly InternalCallName[] = Object.values(SEEN_CALLS)

/** Whether the control plane answers a call to somebody who looks as a collaborator. */
export const isSeenCall = (name: InternalCallName): boolean => INTERNAL.includes(name)

/** Whether the site answers a row of its table to somebody who looks as a collaborator. */
export const isSeenRoute = (name: string): boolean => Object.hasOwn(SEEN_CALLS, name)
