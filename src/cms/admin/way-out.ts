import { awaitsFactor, hasStaffGrants } from '../access/grants.ts'

/**
 * The redirect of an account from `payload.auth`, or null for staff. If only the required second factor is missing, it
 * leads to its setup page, which says why; everybody else is redirected to their own part of the site.
 */
export const wayOutOfAdmin = (user: unknown): '/dashboard/settings/security#factor' | '/dashboard/summary' | null => {
  if (hasStaffGrants(user)) return null
  return awaitsFactor(user) ? '/dashboard/settings/security#factor' : '/dashboard/summary'
}
