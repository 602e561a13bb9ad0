import type { PayloadRequest } from 'payload'
import { grantsOf } from './grants.ts'

/** Administrators and support: whoever may enter the admin area at all. */
export const staff = ({ req }: { req: PayloadRequest }): boolean => {
  const grants = grantsOf(req)
  return grants.isAdmin || grants.isSupport
}
