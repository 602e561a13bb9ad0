import type { PayloadRequest } from 'payload'
import type { Grants } from '#domain/users/roles.ts'

const noGrants: Grants = { isAdmin: false, isSupport: false }

/** The grants that the session strategy attached to an account; anything else has none. */
const grantsOfUser = (user: unknown): Grants => {
  if (typeof user !== 'object' || user === null || !('grants' in user)) return noGrants
  const { grants } = user
  if (typeof grants !== 'object' || grants === null) return noGrants
  return {
    isAdmin: 'isAdmin' in grants && grants.isAdmin === true,
    isSupport: 'isSupport' in grants && grants.isSupport === true,
  }
}

/** The grants of the request's sender. */
export const grantsOf = (req: PayloadRequest): Grants => grantsOfUser(req.user)

/** Whether an account from `payload.auth` is an administrator. */
export const isAdministrator = (user: unknown): boolean => grantsOfUser(user).isAdmin

/** Whether a role of the account grants nothing only because its second factor is missing. */
export const awaitsFactor = (user: unknown): boolean =>
  typeof user === 'object' && user !== null && 'awaitsFactor' in user && user.awaitsFactor === true

/** Whether an account from `payload.auth` may enter the admin area. */
export const hasStaffGrants = (user: unknown): boolean => {
  const grants = grantsOfUser(user)
  return grants.isAdmin || grants.isSupport
}

/** Whether an account from `payload.auth` works on the tickets of a category: administrators on all, support on those of its roles. */
export const worksOnCategory = (user: unknown, categoryId: string): boolean => {
  const { isAdmin, isSupport } = grantsOfUser(user)
  if (isAdmin) return true
  if (!isSupport || typeof user !== 'object' || user === null || !('ticketCategoryIds' in user)) return false
  return Array.isArray(user.ticketCategoryIds) && user.ticketCategoryIds.includes(categoryId)
}
