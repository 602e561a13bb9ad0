import type { PayloadRequest } from 'payload'

/** What the active roles of an account allow; an inactive role adds nothing. */
export type Grants = { isAdmin: boolean; isSupport: boolean }

export const noGrants: Grants = { isAdmin: false, isSupport: false }

/** Joins the flags of roles that are active. */
export const grantsOfRoles = (roles: readonly { isAdmin: boolean; isSupport: boolean; active: boolean }[]): Grants => ({
  isAdmin: roles.some((role) => role.active && role.isAdmin),
  isSupport: roles.some((role) => role.active && role.isSupport),
})

/** The grants that the session strategy put on the request's user. Nobody signed in has none. */
export const grantsOf = (req: PayloadRequest): Grants => {
  const user: unknown = req.user
  if (typeof user !== 'object' || user === null || !('grants' in user)) return noGrants
  const { grants } = user
  if (typeof grants !== 'object' || grants === null) return noGrants
  return {
    isAdmin: 'isAdmin' in grants && grants.isAdmin === true,
    isSupport: 'isSupport' in grants && grants.isSupport === true,
  }
}
