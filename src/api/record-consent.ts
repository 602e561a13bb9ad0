import { isUnderPresentTerms, readTermsState, recordConsents } from '../identity/people/consents.ts'
import type { ConsentOccasion } from '../identity/people/consents.ts'
import { identity } from '../identity/dependencies.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import { ApiError } from '../lib/site/api-error.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'

/**
 * Records the consent of a top-up or an order before the control plane is called. Money must never move without the
 * record: if it cannot be written, the call fails before anything is charged. If the call fails later, the record
 * stays: the person did agree, at that time and to that version; the record names no payment and grants nothing. If the
 * terms have changed since the person last agreed, the page must have shown the current version; otherwise the request
 * is refused with TERMS_CHANGED, and the page asks again.
 */
export const recordConsent = async (
  occasion: ConsentOccasion,
  call: RequestContext & { readonly subject: Subject; readonly termsVersion: string | undefined },
): Promise<void> => {
  const { db } = identity()
  const state = await readTermsState(db, call.subject.userId)
  if (!isUnderPresentTerms(state, call.termsVersion)) {
    throw new ApiError('TERMS_CHANGED', { params: { version: state.version } })
  }
  const consent = { userId: call.subject.userId, occasion, address: call.address }
  await db.transaction((tx) => recordConsents(tx, identity(), consent))
}

/**
 * Records that the person asked for the service to begin before the withdrawal period ends, as the text beside the
 * button says.
 */
export const recordImmediateStart = async (call: RequestContext & { readonly subject: Subject }): Promise<void> => {
  const { db } = identity()
  const consent = { userId: call.subject.userId, occasion: 'renewal', address: call.address } as const
  await db.transaction((tx) => recordConsents(tx, identity(), consent))
}
