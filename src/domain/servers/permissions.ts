/**
 * What a sub-user can be allowed (specification section 6), in the order in which it is shown, and what each needs besides: who
 * may not see a list can do nothing with its entries.
 */
export const PERMISSION_NEEDS = {
  'control.start': [],
  'control.stop': [],
  'control.restart': [],
  'console.command': ['console.read'],
  'console.read': [],
  'file.list': [],
  'file.read': ['file.list'],
  'file.create': ['file.list'],
  'file.update': ['file.list', 'file.read'],
  'file.compress': ['file.list', 'file.create'],
  'file.sftp': ['file.list'],
  'user.list': [],
  'user.invite': ['user.list'],
  'user.remove': ['user.list'],
  'user.update': ['user.list'],
  'database.list': [],
  'database.view-password': ['database.list'],
  'database.create': ['database.list'],
  'database.remove': ['database.list'],
  'database.update': ['database.list'],
  'timer.view': [],
  'timer.create': ['timer.view'],
  'timer.delete': ['timer.view'],
  'timer.update': ['timer.view'],
  'backup.list': [],
  'backup.create': ['backup.list'],
  'backup.delete': ['backup.list'],
  'backup.download': ['backup.list'],
  'backup.restore': ['backup.list'],
  'allocation.view': [],
  'allocation.create': ['allocation.view'],
  'allocation.remove': ['allocation.view'],
  'allocation.update': ['allocation.view'],
  'startup.view': [],
  'startup.update': ['startup.view'],
  'startup.docker-image': ['startup.view'],
  'settings.rename': [],
  'settings.reinstall': [],
  'activity.view': [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PermissionKey = keyof typeof PERMISSION_NEEDS

const KEYS = Object.keys(PERMISSION_NEEDS) as PermissionKey[]

/** The part of a key before the point: what the permission is about. */
export const groupOf = (key: PermissionKey): string => key.slice(0, key.indexOf('.'))

/** Parts of a server that not everybody sees who may know that it exists, and what each asks for. */
export const PART_PERMISSIONS = {
  subUsers: 'user.list',
  startup: 'startup.view',
} as const satisfies Readonly<Record<string, PermissionKey>>

const needsOf = (key: PermissionKey): readonly PermissionKey[] => PERMISSION_NEEDS[key]

/** What somebody is allowed when these keys are ticked: with each comes what it needs. Unknown keys are left out. */
export const withNeeds = (ticked: readonly string[]): PermissionKey[] =>
  KEYS.filter(
    (key) => ticked.includes(key) || KEYS.some((other) => ticked.includes(other) && needsOf(other).includes(key)),
  )

/** Who asks about a server. `shared` are the keys of their share, null without one. */
export type Visitor = { readonly owns: boolean; readonly isAdmin: boolean; readonly shared: readonly string[] | null }

/**
 * What a visitor may do with a server: everything as its owner or an administrator, what was ticked as a sub-user. A key whose
 * needs are not ticked counts for nothing. Null when the visitor may not know that the server exists.
 */
export const permissionsOf = ({ owns, isAdmin, shared }: Visitor): readonly PermissionKey[] | null => {
  if (owns || isAdmin) return KEYS
  if (shared === null) return null
  return KEYS.filter((key) => shared.includes(key) && needsOf(key).every((need) => shared.includes(need)))
}

export type ShareRefusal = 'FORBIDDEN' | 'OWN_SHARE' | 'OWNER_HAS_ALL' | 'MORE_THAN_OWN'

/** A change of somebody's share: `before` is null for somebody who is invited, `after` for somebody who is removed. */
export type ShareChange = {
  readonly actor: { readonly userId: string; readonly visitor: Visitor }
  readonly ownerId: string
  readonly subUserId: string
  readonly before: readonly string[] | null
  readonly after: readonly string[] | null
}

const permissionFor = ({ before, after }: Pick<ShareChange, 'before' | 'after'>): PermissionKey => {
  if (before === null) return 'user.invite'
  return after === null ? 'user.remove' : 'user.update'
}

/**
 * Whether a visitor may change somebody's share of a server. Nobody changes their own share, but everybody may leave; and nobody
 * gives or takes what they may not do themselves. Null means that they may.
 */
export const refuseShareChange = (change: ShareChange): ShareRefusal | null => {
  const { actor, ownerId, subUserId, before, after } = change
  const own = permissionsOf(actor.visitor)
  if (own === null) return 'FORBIDDEN'
  if (subUserId === ownerId) return 'OWNER_HAS_ALL'
  if (subUserId === actor.userId) return after === null ? null : 'OWN_SHARE'
  if (!own.includes(permissionFor(change))) return 'FORBIDDEN'
  const [had, has] = [new Set(withNeeds(before ?? [])), new Set(withNeeds(after ?? []))]
  const changed = KEYS.filter((key) => had.has(key) !== has.has(key))
  return changed.every((key) => own.includes(key)) ? null : 'MORE_THAN_OWN'
}
