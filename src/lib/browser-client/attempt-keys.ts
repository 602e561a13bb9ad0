import { isTurnedAway, isUnknown } from './failure.ts'

/** An attempt that is not settled: its body as it was sent, and its key. */
export type Attempt = { readonly body: string; readonly key: string }
/** The attempts by path: those of a page in a `Map`, those that outlive a reload in the storage of its tab. */
export type Attempts = Pick<Map<string, Attempt>, 'get'> & {
  readonly set: (path: string, attempt: Attempt) => void
  readonly delete: (path: string) => void
}

/**
 * The Idempotency-Key of an attempt: the same for the same body on the same path, so that a double click or a retry
 * after a lost response is the same request; a new one after a response that settled it.
 */
export const createAttemptKeys = (newId: () => string, held: Attempts = new Map<string, Attempt>()) => {
  const keyFor = (path: string, body: unknown): string => {
    const text = JSON.stringify(body)
    const known = held.get(path)
    if (known?.body === text) return known.key
    const key = newId()
    held.set(path, { body: text, key })
    return key
  }
  const settle = (path: string): void => {
    held.delete(path)
  }
  return {
    keyFor,
    settle,
    /**
     * Sends a request under the key of its attempt. A success and a refusal settle the attempt; a lost response, a
     * request in progress, and a request that was turned away unread keep the key.
     */
    send: async <Answer>(path: string, body: unknown, request: (key: string) => Promise<Answer>): Promise<Answer> => {
      try {
        const answer = await request(keyFor(path, body))
        settle(path)
        return answer
      } catch (failure) {
        if (!isUnknown(failure) && !isTurnedAway(failure)) settle(path)
        throw failure
      }
    },
  }
}
