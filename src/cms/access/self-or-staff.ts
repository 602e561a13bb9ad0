import type { PayloadRequest, Where } from 'payload'
import { staff } from './staff.ts'

/** An account reads itself; staff read all. */
export const selfOrStaff = ({ req }: { req: PayloadRequest }): boolean | Where => {
  if (staff({ req })) return true
  return req.user ? { id: { equals: req.user.id } } : false
}
