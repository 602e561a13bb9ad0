import type { PermissionKey } from '#domain/servers/permissions.ts'

/**
 * Permission keys of sub-users (specification section 6), one word each for the wire, the token and the screen. The
 * domain defines their dependencies and who may grant them.
 */
export const PERMISSIONS = [
  'control.start',
  'control.stop',
  'control.restart',
  'console.command',
  'console.read',
  'file.list',
  'file.read',
  'file.create',
  'file.update',
  'file.compress',
  'file.sftp',
  'user.list',
  'user.invite',
  'user.remove',
  'user.update',
  'database.list',
  'database.view-password',
  'database.create',
  'database.remove',
  'database.update',
  'timer.view',
  'timer.create',
  'timer.delete',
  'timer.update',
  'backup.list',
  'backup.create',
  'backup.delete',
  'backup.download',
  'backup.restore',
  'allocation.view',
  'allocation.create',
  'allocation.remove',
  'allocation.update',
  'startup.view',
  'startup.update',
  'startup.docker-image',
  'settings.rename',
  'settings.reinstall',
  'activity.view',
] as const satisfies readonly PermissionKey[]
export type Permission = (typeof PERMISSIONS)[number]

/** Whether a value is the key of a permission. */
export const isPermission = (value: unknown): value is Permission => (PERMISSIONS as readonly unknown[]).includes(value)

/** Kill needs the permission to stop, as in Wings. */
export const PERMISSION_OF_POWER_ACTION = {
  start: 'control.start',
  stop: 'control.stop',
  restart: 'control.restart',
  kill: 'control.stop',
} as const satisfies Record<string, Permission>

/** Requires nothing: for everybody who may know that the server exists. */
const VISIBLE = null

/** Requires more than any key: only the owner, whose money it is. */
const OWNER = 'owner'

/** A token allows less than its holder: the node asks for the permission of each call. */
export const PERMISSION_OF_TOKEN = {
  files: 'file.list',
  download: 'file.read',
  ports: 'allocation.view',
} as const satisfies Record<string, Permission>

/**
 * The permission required by each call about one server, by the name of its route; a power action requires its own.
 * Parts of the response may require more: `PART_PERMISSIONS` of the domain.
 */
export const PERMISSION_OF_CALL = {
  'GET /api/server/{id}': VISIBLE,
  'GET /api/server/{id}/ws': 'console.read',
  'GET /api/server/{id}/starts': 'console.read',
  'GET /api/server/{id}/log-shares': 'console.read',
  'POST /api/server/{id}/log-shares': 'console.read',
  'DELETE /api/server/{id}/log-shares/{shareId}': 'console.read',
  // The news show each reader the same as the activities, or else the console.
  'POST /api/server/{id}/visit': 'console.read',
  'GET /api/server/{id}/known-errors': 'console.read',
  'GET /api/server/{id}/described-files': 'file.read',
  'POST /api/server/{id}/power': PERMISSION_OF_POWER_ACTION,
  'POST /api/server/{id}/token': PERMISSION_OF_TOKEN,
  'GET /api/server/{id}/ports': 'allocation.view',
  'POST /api/server/{id}/ports': 'allocation.create',
  'PATCH /api/server/{id}/ports/{portId}': 'allocation.update',
  'DELETE /api/server/{id}/ports/{portId}': 'allocation.remove',
  'POST /api/server/{id}/ports/{portId}/primary': 'allocation.update',
  'POST /api/server/{id}/ports/{portId}/check': 'allocation.view',
  'GET /api/server/{id}/startup': 'startup.view',
  'PUT /api/server/{id}/startup': 'startup.update',
  'PUT /api/server/{id}/startup/image': 'startup.docker-image',
  // A reader who may set a secret can replace it; one who may only look at the settings never receives one.
  'POST /api/server/{id}/startup/secret': 'startup.update',
  'GET /api/server/{id}/settings': VISIBLE,
  'PUT /api/server/{id}/settings/identity': 'settings.rename',
  'PUT /api/server/{id}/settings/operation': 'startup.update',
  'POST /api/server/{id}/reinstall': 'settings.reinstall',
  'GET /api/server/{id}/activities': 'activity.view',
  'GET /api/server/{id}/users': 'user.list',
  'GET /api/server/{id}/sharing': 'user.list',
  'POST /api/server/{id}/users': 'user.invite',
  'PUT /api/server/{id}/users/{userId}': 'user.update',
  'DELETE /api/server/{id}/users/{userId}': 'user.remove',
  'POST /api/server/{id}/users/{userId}/see-as': 'user.update',
  'GET /api/server/{id}/renewal': OWNER,
  'GET /api/server/{id}/size': OWNER,
  'POST /api/server/{id}/archive': OWNER,
  'POST /api/server/{id}/renew': OWNER,
  'PUT /api/server/{id}/auto-renewal': OWNER,
  'POST /api/server/{id}/conversion': OWNER,
  'POST /api/server/{id}/conversion/quote': OWNER,
  'POST /api/server/{id}/modification': OWNER,
  'POST /api/server/{id}/modification/quote': OWNER,
  'GET /api/server/{id}/packages': OWNER,
  'POST /api/server/{id}/package': OWNER,
  'POST /api/server/{id}/package/keep': OWNER,
} as const satisfies Record<
  string,
  Permission | typeof PERMISSION_OF_POWER_ACTION | typeof PERMISSION_OF_TOKEN | typeof OWNER | null
>

/** The permission required by each message on a server's socket, besides the token that opened it (SPEC.md). */
export const PERMISSION_OF_MESSAGE = {
  'set state': PERMISSION_OF_POWER_ACTION,
  'send command': 'console.command',
  'send history': 'console.read',
  'send logs': VISIBLE,
  'send stats': VISIBLE,
  'send stats history': VISIBLE,
} as const satisfies Record<string, Permission | typeof PERMISSION_OF_POWER_ACTION | null>
