import type { User } from '#contracts/http/user.ts'

/** The administration is shown to whom a role makes an administrator (specification section 6); the server decides itself. */
export const isAdministrator = (me: User | undefined): boolean => me?.role.some((role) => role.isAdmin === 1) ?? false
