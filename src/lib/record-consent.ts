import { recordConsents } from '../identity/consents.ts'
import type { ConsentOccasion } from '../identity/consents.ts'
import { identity } from '../identity/dependencies.ts'
import type { Subject } from '../identity/access-tokens.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Records the consent of a top-up or an order before the control plane is asked. Money must never move without the record:
 * if it cannot be written, the call fails and nothing has been taken. If the call fails afterwards, the record stays: the
 * person did agree, at that time and to that version, whatever became of the wish; it names no payment and grants nothing.
 */
export const recordConsent = async (
  occasion: ConsentOccasion,
  call: RequestContext & { readonly subject: Subject },
): Promise<void> => {
  const { db } = identity()
  const consent = { userId: call.subject.userId, occasion, address: call.address }
  await db.transaction((tx) => recordConsents(tx, identity(), consent))
}
