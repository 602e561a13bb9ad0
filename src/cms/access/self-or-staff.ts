import type { PayloadRequest, Where } from 'payload'
import { grantsOf } from './grants.ts'

/**
 * An account reads itself, administrators read all. Support reads customers, but not other staff or their user names.
 * An account whose staff role is inactive does not count as a customer.
 */
export const selfOrStaff = async ({ req }: { req: PayloadRequest }): Promise<boolean | Where> => {
  const { isAdmin, isSupport } = grantsOf(req)
  if (isAdmin) return true
  if (!req.user) return false
  const self: Where = { id: { equals: req.user.id } }
  if (!isSupport) return self
  const { docs } = await req.payload.find({
    collection: 'users',
    where: { or: [{ 'role.isAdmin': { equals: true } }, { 'role.isSupport': { equals: true } }] },
    req,
    overrideAccess: true,
    depth: 0,
    pagination: false,
    select: {},
  })
  return { or: [self, { id: { not_in: docs.map(({ id }) => id) } }] }
}
