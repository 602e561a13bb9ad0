import { awaitsFactor, hasStaffGrants } from '../access/grants.ts'

/**
 * Where the admin sends an account that `payload.auth` found, or null for staff. Who lacks nothing but the second factor that a
 * role requires is led to where it is set up, and that page says why; everybody else goes back to their own part of the site.
 */
export const wayOutOfAdmin = (user: unknown): '/dashboard/settings#factor' | '/dashboard/summary' | null => {
  if (hasStaffGrants(user)) return null
  return awaitsFactor(user) ? '/dashboard/settings#factor' : '/dashboard/summary'
}
