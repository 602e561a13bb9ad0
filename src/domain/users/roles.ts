/** What a role gives, and what it asks for. */
export type RoleFlags = {
  readonly id: string
  readonly isAdmin: boolean
  readonly isSupport: boolean
  readonly active: boolean
  readonly twoFactorRequired: boolean
}

/** What a person may do by all of their roles. */
export type Grants = { readonly isAdmin: boolean; readonly isSupport: boolean }

/**
 * Whether a role counts for a person: an inactive one grants nothing, and one that requires a second factor nothing until the
 * person has one (issue 4, clarifications part 3).
 */
export const isUsable = (role: Pick<RoleFlags, 'active' | 'twoFactorRequired'>, hasFactor: boolean): boolean =>
  role.active && (hasFactor || !role.twoFactorRequired)

/** What somebody with these roles may do now. */
export const grantsOf = (roles: readonly Omit<RoleFlags, 'id'>[], hasFactor: boolean): Grants => {
  const usable = roles.filter((role) => isUsable(role, hasFactor))
  return { isAdmin: usable.some((role) => role.isAdmin), isSupport: usable.some((role) => role.isSupport) }
}

/** How high something stands: administrators above support, support above everybody else. */
export const rankOf = ({ isAdmin, isSupport }: Grants): 0 | 1 | 2 => {
  if (isAdmin) return 2
  return isSupport ? 1 : 0
}

/** Whether somebody's roles grant more once they have a second factor: what a required one keeps from them. */
export const awaitsFactor = (roles: readonly Omit<RoleFlags, 'id'>[], hasFactor: boolean): boolean =>
  rankOf(grantsOf(roles, true)) > rankOf(grantsOf(roles, hasFactor))

/** Who changes a role or the roles of somebody. */
export type Actor = { readonly roleIds: readonly string[]; readonly grants: Grants }

export type RoleRefusal = 'OWN_ROLE' | 'HIGHER_ROLE' | 'INACTIVE_ROLE' | 'LAST_ADMINISTRATOR'

/**
 * Whether somebody may change a role: nobody their own or a higher one. `after` is what it would be, undefined when it would be
 * deleted. Null means that they may.
 */
export const refuseRoleChange = (
  actor: Actor,
  { before, after }: { before: RoleFlags; after: Grants | undefined },
): RoleRefusal | null => {
  if (actor.roleIds.includes(before.id)) return 'OWN_ROLE'
  const highest = Math.max(rankOf(before), after === undefined ? 0 : rankOf(after))
  return highest > rankOf(actor.grants) ? 'HIGHER_ROLE' : null
}

/** Whether somebody may give a person these roles in place of those they have. Null means that they may. */
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
 * Who is allowed less after a role has changed: everybody who has it, those among them without a second factor, or nobody.
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
