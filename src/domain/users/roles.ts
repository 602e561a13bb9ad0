/** A role's permissions and requirements. */
export type RoleFlags = {
  readonly id: string
  readonly isAdmin: boolean
  readonly isSupport: boolean
  readonly active: boolean
  readonly twoFactorRequired: boolean
}

/** A person's permissions from all of their roles. */
export type Grants = { readonly isAdmin: boolean; readonly isSupport: boolean }

/**
 * Whether a role counts for a person: an inactive one grants nothing, and one that requires a second factor nothing
 * until the person has one (issue 4, clarifications part 3).
 */
export const isUsable = (role: Pick<RoleFlags, 'active' | 'twoFactorRequired'>, hasFactor: boolean): boolean =>
  role.active && (hasFactor || !role.twoFactorRequired)

/** The current permissions of a person with these roles. */
export const grantsOf = (roles: readonly Omit<RoleFlags, 'id'>[], hasFactor: boolean): Grants => {
  const usable = roles.filter((role) => isUsable(role, hasFactor))
  return { isAdmin: usable.some((role) => role.isAdmin), isSupport: usable.some((role) => role.isSupport) }
}

/** The rank: administrators above support, support above everybody else. */
export const rankOf = ({ isAdmin, isSupport }: Grants): 0 | 1 | 2 => {
  if (isAdmin) return 2
  return isSupport ? 1 : 0
}

/** Whether a person's roles grant more once they have a second factor. */
export const awaitsFactor = (roles: readonly Omit<RoleFlags, 'id'>[], hasFactor: boolean): boolean =>
  rankOf(grantsOf(roles, true)) > rankOf(grantsOf(roles, hasFactor))

/** The person who changes a role or somebody's roles. */
export type Actor = { readonly roleIds: readonly string[]; readonly grants: Grants }

export type RoleRefusal = 'OWN_ROLE' | 'HIGHER_ROLE' | 'INACTIVE_ROLE' | 'LAST_ADMINISTRATOR'

/**
 * Whether a person may change a role: nobody their own or a higher one. `after` is the changed role, undefined for a
 * deletion. Null means allowed.
 */
export const refuseRoleChange = (
  actor: Actor,
  { before, after }: { before: RoleFlags; after: Grants | undefined },
): RoleRefusal | null => {
  if (actor.roleIds.includes(before.id)) return 'OWN_ROLE'
  const highest = Math.max(rankOf(before), after === undefined ? 0 : rankOf(after))
  return highest > rankOf(actor.grants) ? 'HIGHER_ROLE' : null
}

/** Whether a person may replace somebody's roles by these. Null means allowed. */
export const refuseAssignment = (
  actor: Actor,
  { before, after }: { before: readonly RoleFlags[]; after: readonly RoleFlags[] },
): RoleRefusal | null => {
  const had = new Set(before.map(({ id }) => id))
  const has = new Set(after.map(({ id }) => id))
  const added = after.filter(({ id }) => !had.has(id))
  const removed = before.filter(({ id }) => !has.has(id))
  if (added.some(({ active }) => !active)) return 'INACTIVE_ROLE'
  const isHigher = [...added, ...removed].some((role) => rankOf(role) > rankOf(actor.grants))
  return isHigher ? 'HIGHER_ROLE' : null
}

/**
 * The people who lose permissions when a role changes: all its holders, its holders without a second factor, or nobody.
 */
export const lostByRoleChange = (
  before: Omit<RoleFlags, 'id'>,
  after: Omit<RoleFlags, 'id'>,
): 'everybody' | 'without a factor' | 'nobody' => {
  const [had, has] = [grantsOf([before], true), grantsOf([after], true)]
  if ((had.isAdmin && !has.isAdmin) || (had.isSupport && !has.isSupport)) return 'everybody'
  const gave = had.isAdmin || had.isSupport
  return gave && after.twoFactorRequired && !before.twoFactorRequired ? 'without a factor' : 'nobody'
}
