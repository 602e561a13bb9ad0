/**
 * The permissions of sub-users (specification section 6), in display order, and their dependencies: without access to a
 * list its entries cannot be used.
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

/** The part of a key before the dot: the permission's subject. */
export const groupOf = (key: PermissionKey): string => key.slice(0, key.indexOf('.'))

/** Parts of a server that need a permission beyond knowing that it exists. */
export const PART_PERMISSIONS = {
  subUsers: 'user.list',
  startup: 'startup.view',
} as const satisfies Readonly<Record<string, PermissionKey>>

const needsOf = (key: PermissionKey): readonly PermissionKey[] => PERMISSION_NEEDS[key]

/** The effective permissions of ticked keys: each adds its dependencies. Unknown keys are dropped. */
export const withNeeds = (ticked: readonly string[]): PermissionKey[] =>
  KEYS.filter(
    (key) => ticked.includes(key) || KEYS.some((other) => ticked.includes(other) && needsOf(other).includes(key)),
  )

/** A visitor of a server. `shared` are the keys of their share, null without one. */
export type Visitor = { readonly owns: boolean; readonly isAdmin: boolean; readonly shared: readonly string[] | null }

/**
 * A visitor's permissions on a server: all for its owner and administrators, the ticked ones for a sub-user. A key
 * without its dependencies does not count. Null if the visitor may not know that the server exists.
 */
export const permissionsOf = ({ owns, isAdmin, shared }: Visitor): readonly PermissionKey[] | null => {
  if (owns || isAdmin) return KEYS
  if (shared === null) return null
  return KEYS.filter((key) => shared.includes(key) && needsOf(key).every((need) => shared.includes(need)))
}

/**
 * Whether a change of a share gives and takes only what its actor has. Permissions that stay as they were do not
 * matter.
 */
export const changesOnlyOwn = (
  own: readonly string[],
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): boolean => {
  const [had, has] = [new Set(withNeeds(before)), new Set(withNeeds(after))]
  return KEYS.every((key) => had.has(key) === has.has(key) || own.includes(key))
}

export type ShareRefusal = 'FORBIDDEN' | 'OWN_SHARE' | 'OWNER_HAS_ALL' | 'MORE_THAN_OWN'

/** A change of a person's share: `before` is null for an invitation, `after` for a removal. */
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
 * Whether a visitor may change a person's share of a server. Nobody changes their own share, except to leave; and
 * nobody grants or revokes permissions that they do not have. Null means allowed.
 */
export const refuseShareChange = (change: ShareChange): ShareRefusal | null => {
  const { actor, ownerId, subUserId, before, after } = change
  const own = permissionsOf(actor.visitor)
  if (own === null) return 'FORBIDDEN'
  if (subUserId === ownerId) return 'OWNER_HAS_ALL'
  if (subUserId === actor.userId) return after === null ? null : 'OWN_SHARE'
  if (!own.includes(permissionFor(change))) return 'FORBIDDEN'
  return changesOnlyOwn(own, { before: before ?? [], after: after ?? [] }) ? null : 'MORE_THAN_OWN'
}

/** Only looks: the last part of every key that lets its holder change nothing. Passwords and logins are not looked at as somebody else. */
const LOOKS: readonly string[] = ['list', 'read', 'view']

/** The permissions among these that change nothing. */
export const readingOnly = (permissions: readonly PermissionKey[]): PermissionKey[] =>
  permissions.filter((key) => LOOKS.includes(key.slice(key.indexOf('.') + 1)))

/** The permissions that a viewer shares with a collaborator. A key without its dependencies does not count. */
export const seenTogether = (own: readonly PermissionKey[], shared: readonly string[]): readonly PermissionKey[] => {
  const theirs = permissionsOf({ owns: false, isAdmin: false, shared }) ?? []
  return theirs.filter((key) => own.includes(key))
}

/**
 * Whether a visitor may look at a server as this person sees it: who edits collaborators may, as those who have no more
 * than themselves, because anything less would show another panel than theirs. Null means allowed.
 */
export const refuseSeeing = ({
  actor,
  ownerId,
  subUserId,
  shared,
}: Pick<ShareChange, 'actor' | 'ownerId' | 'subUserId'> & {
  readonly shared: readonly string[]
}): ShareRefusal | null => {
  const own = permissionsOf(actor.visitor)
  if (own === null || !own.includes('user.update')) return 'FORBIDDEN'
  if (subUserId === ownerId) return 'OWNER_HAS_ALL'
  if (subUserId === actor.userId) return 'OWN_SHARE'
  return changesOnlyOwn(own, { before: [], after: shared }) ? null : 'MORE_THAN_OWN'
}
