import type { Caller } from '#contracts/internal-api/calls.ts'
import { ApiRefusal } from './api-refusal.ts'

/**
 * The caller of a call that only administrators may make: money, documents and servers of others. Support neither moves nor reads them.
 * Throws FORBIDDEN for everybody else.
 */
export function administratorOf({ isAdmin, userId, address }: Caller): { staffId: string; address: string } {
  if (!isAdmin) throw new ApiRefusal('FORBIDDEN')
  return { staffId: userId, address }
}
