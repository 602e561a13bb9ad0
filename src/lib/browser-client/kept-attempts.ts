import * as z from 'zod'
import { createAttemptKeys } from './attempt-keys.ts'
import type { Attempt, Attempts } from './attempt-keys.ts'
import { newRequestId } from './request-id.ts'
import { textSign } from './text-sign.ts'

/** The same words are a second message later. */
const MOST_AGE_MS = 3_600_000
const Kept = z.object({ sign: z.string(), key: z.string(), atMs: z.number() })
type Kept = z.infer<typeof Kept>
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const placeOf = (name: string): string => `${name}:attempt`

/**
 * Attempts that outlive their page, beside the draft of their text and by its name: a text whose answer was lost is still in its form
 * then, and the same text is the same request for an hour. Where the browser has no room or no storage they live as long as the page.
 */
export const keptAttemptsIn = (store: () => Store, now: () => number = Date.now): Attempts => {
  const here = new Map<string, Kept>()
  const stored = (name: string): Kept | undefined => {
    try {
      return Kept.nullable().parse(JSON.parse(store().getItem(placeOf(name)) ?? 'null')) ?? undefined
    } catch {
      return undefined
    }
  }
  return {
    get: (name) => {
      const known = here.get(name) ?? stored(name)
      return known !== undefined && now() - known.atMs < MOST_AGE_MS ? known : undefined
    },
    set: (name, { sign, key }: Attempt) => {
      const kept = { sign, key, atMs: now() }
      here.set(name, kept)
      try {
        store().setItem(placeOf(name), JSON.stringify(kept))
      } catch {
        // Storage is full or switched off.
      }
    },
    delete: (name) => {
      here.delete(name)
      try {
        store().removeItem(placeOf(name))
      } catch {
        // Storage that refuses to let go of an attempt has kept none.
      }
    },
  }
}

/** The attempts of this browser, by the names of their drafts. */
export const keptAttempts = keptAttemptsIn(() => window.localStorage)
/** No text is kept twice: an attempt has the sign of its body. */
export const keptAttemptKeys = createAttemptKeys(newRequestId, keptAttempts, textSign)
