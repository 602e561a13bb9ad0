import * as z from 'zod'
import type { Attempt, Attempts } from './attempt-keys.ts'

const Kept = z.object({ body: z.string(), key: z.string() })
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = (path: string): string => `bakter:attempt:${path}`

/**
 * Attempts that outlive a reload: a text whose answer was lost is still in its form then, and the same text is the same request. Where
 * the browser has no room or no storage they live as long as the page.
 */
export const keptAttemptsIn = (store: () => Store): Attempts => {
  const here = new Map<string, Attempt>()
  return {
    get: (path) => {
      try {
        return here.get(path) ?? Kept.optional().parse(JSON.parse(store().getItem(nameOf(path)) ?? 'null') ?? undefined)
      } catch {
        return undefined
      }
    },
    set: (path, attempt) => {
      here.set(path, attempt)
      try {
        store().setItem(nameOf(path), JSON.stringify(attempt))
      } catch {
        // Storage is full or switched off.
      }
    },
    delete: (path) => {
      here.delete(path)
      try {
        store().removeItem(nameOf(path))
      } catch {
        // As above.
      }
    },
  }
}

/** Those of this tab. */
export const keptAttempts = keptAttemptsIn(() => window.sessionStorage)
