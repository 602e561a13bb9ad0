/**
 * The Idempotency-Key of an attempt: the same for the same body, so that a double click or a repeated try after a lost
 * answer is the same request; a new one after an answer that settled it.
 */
export const createAttemptKeys = (newId: () => string) => {
  let held: { body: string; key: string } | null = null
  return {
    keyFor: (body: unknown): string => {
      const text = JSON.stringify(body)
      if (held?.body !== text) held = { body: text, key: newId() }
      return held.key
    },
    settle: (): void => {
      held = null
    },
  }
}
