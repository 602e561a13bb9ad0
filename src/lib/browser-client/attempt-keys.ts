import { isTurnedAway, isUnknown } from './failure.ts'

/** An attempt that is not settled: the sign of its body as it was sent, and its key. */
export type Attempt = { readonly sign: string; readonly key: string }
/** The attempts by name: those of a page in a `Map`, those that outlive a page in the storage of its browser. */
export type Attempts = Pick<Map<string, Attempt>, 'get'> & {
  readonly set: (name: string, attempt: Attempt) => void
  readonly delete: (name: string) => void
}

/**
 * The Idempotency-Key of an attempt: the same for the same body under the same name, so that a double click or a retry
 * after a lost response is the same request; a new one after a response that settled it. `signOf` stands for a body's text.
 */
export const createAttemptKeys = (
  newId: () => string,
  held: Attempts = new Map<string, Attempt>(),
  signOf = (text: string): string => text,
) => {
  const keyFor = (name: string, body: unknown): string => {
    const sign = signOf(JSON.stringify(body))
    const known = held.get(name)
    if (known?.sign === sign) return known.key
    const key = newId()
    held.set(name, { sign, key })
    return key
  }
  const settle = (name: string): void => {
    held.delete(name)
  }
  return {
    keyFor,
    settle,
    /**
     * Sends a request under the key of its attempt. A success and a refusal settle the attempt; a lost response, a
     * request in progress, and a request that was turned away unread keep the key.
     */
    send: async <Answer>(name: string, body: unknown, request: (key: string) => Promise<Answer>): Promise<Answer> => {
      try {
        const answer = await request(keyFor(name, body))
        settle(name)
        return answer
      } catch (failure) {
        if (!isUnknown(failure) && !isTurnedAway(failure)) settle(name)
        throw failure
      }
    },
  }
}
