import { isTurnedAway, isUnknown } from './failure.ts'

/** An attempt that is not settled: its body as it was sent, and its key. */
export type Attempt = { readonly body: string; readonly key: string }
/** The attempts of each place: the last one in the memory of a page, or all of them beside the draft of a text in the browser. */
export type Attempts = {
  /** The unsettled attempt with exactly this body. */
  readonly find: (place: string, body: string) => Attempt | undefined
  readonly keep: (place: string, attempt: Attempt) => void
  /** Forgets the attempt with this key, and no other one that took its place meanwhile. */
  readonly settle: (place: string, key: string) => void
}

const pageAttempts = (): Attempts => {
  const held = new Map<string, Attempt>()
  return {
    find: (place, body) => {
      const known = held.get(place)
      return known?.body === body ? known : undefined
    },
    keep: (place, attempt) => void held.set(place, attempt),
    settle: (place, key) => {
      if (held.get(place)?.key === key) held.delete(place)
    },
  }
}

/**
 * The Idempotency-Key of an attempt: the same for the same body at the same place, so that a double click or a retry
 * after a lost response is the same request; a new one after a response that settled it.
 */
export const createAttemptKeys = (newId: () => string, held: Attempts = pageAttempts()) => {
  const keyFor = (place: string, body: unknown): string => {
    const text = JSON.stringify(body)
    const key = held.find(place, text)?.key ?? newId()
    held.keep(place, { body: text, key })
    return key
  }
  return {
    /**
     * Sends a request under the key of its attempt. A success and a refusal settle the attempt; a lost response, a
     * request in progress, and a request that was turned away unread keep the key.
     */
    send: async <Answer>(place: string, body: unknown, request: (key: string) => Promise<Answer>): Promise<Answer> => {
      const key = keyFor(place, body)
      try {
        const answer = await request(key)
        held.settle(place, key)
        return answer
      } catch (failure) {
        if (!isUnknown(failure) && !isTurnedAway(failure)) held.settle(place, key)
        throw failure
      }
    },
  }
}
