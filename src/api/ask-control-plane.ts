import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import { identity } from '../identity/dependencies.ts'
import { readGrants } from '../identity/people/people.ts'
import { seenPersonOf } from './seeing-as.ts'
import { controlPlane } from './session.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'
import type { InternalCallName, InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'

type SignedIn = RequestContext & {
  readonly subject: Subject
  readonly idempotencyKey?: string | undefined
  readonly headers?: Headers
}

const callerOf = async (call: SignedIn): Promise<Caller> => ({
  seesAs: seenPersonOf(call.headers),
  userId: call.subject.userId,
  sessionId: call.subject.sessionId,
  locale: call.locale,
  address: call.address,
  // Browsers send their cookies; only programs send a token.
  way: call.headers?.has('authorization') ? 'api' : 'panel',
  ...(await readGrants(identity().db, call.subject.userId)),
})

/** Calls on behalf of a signed-in person. */
export type CallerCall = {
  [Name in InternalCallName]: 'caller' extends keyof InternalInput<Name> ? Name : never
}[InternalCallName]

/** Calls the control plane on behalf of the signed-in caller. Throws ApiError with its refusal. */
export const askControlPlane = async <Name extends CallerCall>(
  name: Name,
  input: Omit<InternalInput<Name>, 'caller'>,
  call: SignedIn,
): Promise<InternalOutput<Name>> => {
  const caller = await callerOf(call)
  return controlPlane().call(name, { ...input, caller } as InternalInput<Name>, {
    requestId: call.requestId,
    locale: call.locale,
    ...(call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey }),
  })
}
