/**
 * The Idempotency-Key of an attempt: the same for the same body on the same path, so that a double click or a repeated try after a lost
 * answer is the same request; a new one after an answer that settled it.
 */
export const createAttemptKeys = (newId: () => string) => {
  const held = new Map<string, { body: string; key: string }>()
  return {
    keyFor: (path: string, body: unknown): string => {
      const text = JSON.stringify(body)
      const known = held.get(path)
      if (known?.body === text) return known.key
      const key = newId()
      held.set(path, { body: text, key })
      return key
    },
    settle: (path: string): void => {
      held.delete(path)
    },
  }
}
