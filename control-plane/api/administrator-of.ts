import type { Caller } from '#contracts/internal-api/calls.ts'
import { ApiRefusal } from './api-refusal.ts'

/**
 * The caller of an administrators-only call: money, documents and servers of others. Support can neither move nor read
 * them. Throws FORBIDDEN for everybody else.
 */
export function administratorOf({ isAdmin, userId, address }: Caller): { staffId: string; address: string } {
  if (!isAdmin) throw new ApiRefusal('FORBIDDEN')
  return { staffId: userId, address }
}
