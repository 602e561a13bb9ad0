import { AGED_PATHS } from '#contracts/control-api/freshness.ts'

/** Remembers of which moment the answers of the account are, while no control plane keeps them true. */
export const createAnswerAge = (now: () => number) => {
  const listeners = new Set<() => void>()
  let asOfMs: number | null = null
  const set = (next: number | null) => {
    if (next === asOfMs) return
    asOfMs = next
    for (const listener of listeners) listener()
  }
  return {
    /** Hears the Age header of an answer. Answers of other calls say nothing of it. */
    note: (path: string, age: string | null) => {
      if (!AGED_PATHS.includes(path.split('?')[0] ?? '')) return
      if (age === null) return set(null)
      // Ages are whole seconds: answers of one moment must not move it back and forth.
      const next = now() - Number(age) * 1_000
      if (asOfMs === null || Math.abs(next - asOfMs) > 5_000) set(next)
    },
    asOfMs: () => asOfMs,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const answerAge = createAnswerAge(() => Date.now())
