import type { Caller } from '#contracts/internal-api/calls.ts'
import { ApiRefusal } from './api-refusal.ts'

/**
 * Who asks, where only administrators may: money, documents and servers that are not one's own. Support neither moves nor reads them.
 * Throws FORBIDDEN for everybody else.
 */
export function administratorOf({ isAdmin, userId, address }: Caller): { staffId: string; address: string } {
  if (!isAdmin) throw new ApiRefusal('FORBIDDEN')
  return { staffId: userId, address }
}
