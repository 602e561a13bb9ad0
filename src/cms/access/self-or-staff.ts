import type { PayloadRequest, Where } from 'payload'
import { grantsOf } from './grants.ts'

/**
 * An account reads itself, administrators read all. Support reads customers: who else works for the host, and under which
 * name they sign in, is none of its business. A role that is switched off makes nobody a customer.
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
