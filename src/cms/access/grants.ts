import type { PayloadRequest } from 'payload'

/** What the active roles of an account allow; an inactive role adds nothing. */
export type Grants = { isAdmin: boolean; isSupport: boolean }

const noGrants: Grants = { isAdmin: false, isSupport: false }

/** Joins the flags of roles that are active. */
export const grantsOfRoles = (roles: readonly { isAdmin: boolean; isSupport: boolean; active: boolean }[]): Grants => ({
  isAdmin: roles.some((role) => role.active && role.isAdmin),
  isSupport: roles.some((role) => role.active && role.isSupport),
})

/** The grants that the session strategy put on an account; anything else has none. */
const grantsOfUser = (user: unknown): Grants => {
  if (typeof user !== 'object' || user === null || !('grants' in user)) return noGrants
  const { grants } = user
  if (typeof grants !== 'object' || grants === null) return noGrants
  return {
    isAdmin: 'isAdmin' in grants && grants.isAdmin === true,
    isSupport: 'isSupport' in grants && grants.isSupport === true,
  }
}

/** The grants of who sends the request. */
export const grantsOf = (req: PayloadRequest): Grants => grantsOfUser(req.user)

/** Whether an account that `payload.auth` found may enter the admin area. */
export const hasStaffGrants = (user: unknown): boolean => {
  const grants = grantsOfUser(user)
  return grants.isAdmin || grants.isSupport
}
