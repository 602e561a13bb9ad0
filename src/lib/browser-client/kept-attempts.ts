import * as z from 'zod'
import type { Attempts } from './attempt-keys.ts'
import { signOfText } from './text-sign.ts'

/** After so long without an answer the same text is a new message: its writer sees by then whether the first one arrived. */
const LIFE_MS = 60 * 60_000

/** An hour of editing and trying again without an answer makes no more than a few. */
const MOST = 20

const Kept = z.object({ sign: z.string(), key: z.string(), atMs: z.number() })
type Kept = z.infer<typeof Kept>
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = (draft: string): string => `${draft}:attempts`

/** The attempts of each draft in a storage; none where it is switched off, full or has something else in their place. */
const rowsIn = (store: () => Store) => ({
  read: (draft: string): readonly Kept[] => {
    try {
      return z.array(Kept).parse(JSON.parse(store().getItem(nameOf(draft)) ?? '[]'))
    } catch {
      return []
    }
  },
  write: (draft: string, kept: readonly Kept[]): void => {
    try {
      if (kept.length === 0) store().removeItem(nameOf(draft))
      else store().setItem(nameOf(draft), JSON.stringify(kept))
    } catch {
      // The attempts live as long as the page then.
    }
  },
})

/**
 * Attempts that live as long as the draft of their text, beside it and under its name: the same text is the same request after a reload, in another tab
 * and after the tab was closed, also if it was edited, sent and changed back meanwhile. Their texts are not among them, only signs. Where the browser has
 * no room or no storage they live as long as the page.
 */
export const keptAttemptsIn = (store: () => Store, nowMs: () => number) => {
  const here = new Map<string, readonly Kept[]>()
  const rows = rowsIn(store)
  const isAlive = ({ atMs }: Kept): boolean => Math.abs(nowMs() - atMs) < LIFE_MS
  const without = (kept: readonly Kept[], key: string) => kept.filter((each) => each.key !== key && isAlive(each))
  const attempts: Attempts = {
    find: (draft, body) => {
      const sign = signOfText(body)
      // Another tab may have emptied the draft of this page, whose text is still in its form.
      const all = [...(here.get(draft) ?? []), ...rows.read(draft)]
      const known = all.findLast((kept) => kept.sign === sign && isAlive(kept))
      return known && { body, key: known.key }
    },
    keep: (draft, { body, key }) => {
      const kept = { sign: signOfText(body), key, atMs: nowMs() }
      here.set(draft, [...without(here.get(draft) ?? [], key), kept].slice(-MOST))
      rows.write(draft, [...without(rows.read(draft), key), kept].slice(-MOST))
    },
    settle: (draft, key) => {
      here.set(draft, without(here.get(draft) ?? [], key))
      rows.write(draft, without(rows.read(draft), key))
    },
  }
  return {
    ...attempts,
    /** The draft is gone: what is written there next is another message, also with the same words. */
    forget: (draft: string): void => {
      here.delete(draft)
      rows.write(draft, [])
    },
  }
}

/** The attempts of this browser, by the names of their drafts. */
export const keptAttempts = keptAttemptsIn(
  () => window.localStorage,
  () => Date.now(),
)
