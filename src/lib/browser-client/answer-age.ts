import { AGED_PATHS } from '#contracts/control-api/freshness.ts'

/** Keeps the time of the account's data while no control plane keeps it current. */
export const createAnswerAge = (now: () => number) => {
  const listeners = new Set<() => void>()
  let asOfMs: number | null = null
  const set = (next: number | null) => {
    if (next === asOfMs) return
    asOfMs = next
    for (const listener of listeners) listener()
  }
  return {
    /** Reads the Age header of a response. Responses of other calls are ignored. */
    note: (path: string, age: string | null) => {
      if (!AGED_PATHS.includes(path.split('?')[0] ?? '')) return
      if (age === null) return set(null)
      // Ages are whole seconds: responses of one time must not move it back and forth.
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
