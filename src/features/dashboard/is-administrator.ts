import type { User } from '#contracts/http/user.ts'

/**
 * The administration is shown to people with an administrator role (specification section 6); the server enforces it.
 */
export const isAdministrator = (me: User | undefined): boolean => me?.role.some((role) => role.isAdmin === 1) ?? false
