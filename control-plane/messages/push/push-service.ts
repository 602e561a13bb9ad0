import type { PushAnswer } from '#domain/notifications/push-outcome.ts'

/** A push as it leaves: encrypted for its browser, signed for its push service. */
export type OutgoingPush = {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The address of a push service stands for a host that is not on the public internet: nothing was sent. */
export class PushAddressRefused extends Error {
  override name = 'PushAddressRefused'
}

/** Where pushes go. */
export interface PushService {
  /** Resolves with what the service said, or that it said nothing. Throws PushAddressRefused. */
  deliver(push: OutgoingPush): Promise<PushAnswer>
}
