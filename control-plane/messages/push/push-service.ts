import type { PushAnswer } from '#domain/notifications/push-outcome.ts'

/** An outgoing push: encrypted for its browser, signed for its push service. */
export type OutgoingPush = {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The push service's host is not on the public internet: nothing was sent. */
export class PushAddressRefused extends Error {
  override name = 'PushAddressRefused'
}

/** A channel for outgoing pushes. */
export interface PushService {
  /** Resolves with the service's response, or with the lack of one. Throws PushAddressRefused. */
  deliver(push: OutgoingPush): Promise<PushAnswer>
}
