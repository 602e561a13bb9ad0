import type { PayloadRequest } from 'payload'
import { grantsOf } from './grants.ts'

/** Administrators and support: everybody who may enter the admin area. */
export const staff = ({ req }: { req: PayloadRequest }): boolean => {
  const grants = grantsOf(req)
  return grants.isAdmin || grants.isSupport
}
