import type { PayloadRequest } from 'payload'
import { grantsOf } from './grants.ts'

/** Administrators, by an active role with the administrator flag. */
export const administrator = ({ req }: { req: PayloadRequest }): boolean => grantsOf(req).isAdmin
