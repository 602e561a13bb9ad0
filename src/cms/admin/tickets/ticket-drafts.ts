import type { Attempts } from '@/lib/browser-client/attempt-keys.ts'
import { keptAttempts } from '@/lib/browser-client/kept-attempts.ts'

/** The kind of text that is being written: a reply to the customer, or a note to staff. */
export const COMPOSER_MODES = ['reply', 'note'] as const
export type ComposerMode = (typeof COMPOSER_MODES)[number]

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Place = { readonly userId: string; readonly ticketId: string; readonly mode: ComposerMode }

/** The name of a draft, and of the attempts to send its text. */
export const draftKey = ({ userId, ticketId, mode }: Place): string => `ticket-draft:${userId}:${ticketId}:${mode}`

/** The attempts to send a text end with its draft: whoever writes the same words again means a second message. */
type Ending = Pick<Attempts, 'delete'>

/**
 * The drafts of a browser, each of one member of staff. A reply and a note have one each, so that nothing written as a note is ever
 * sent as a reply. A browser without room or storage keeps none.
 */
export const ticketDraftsIn = (store: () => Store, attempts: Ending) => {
  const drafts = keptIn(store, attempts)
  return {
    ...drafts,
    /** Puts reply and note below those of another ticket, because this one goes on there. */
    move: (from: Omit<Place, 'mode'>, ticketId: string): void => {
      for (const mode of COMPOSER_MODES) {
        const text = drafts.read({ ...from, mode })
        if (text === '') continue
        const to = { ...from, ticketId, mode }
        const joined = [drafts.read(to), text].filter(Boolean).join('\n\n')
        drafts.keep(to, joined)
        // Storage without room keeps the text where it is.
        if (drafts.read(to) === joined) drafts.keep({ ...from, mode }, '')
      }
    },
  }
}

const keptIn = (store: () => Store, attempts: Ending) => ({
  read: (place: Place): string => {
    try {
      return store().getItem(draftKey(place)) ?? ''
    } catch {
      return ''
    }
  },
  keep: (place: Place, text: string): void => {
    if (text === '') attempts.delete(draftKey(place))
    try {
      if (text === '') store().removeItem(draftKey(place))
      else store().setItem(draftKey(place), text)
    } catch {
      // Storage is full or switched off.
    }
  },
})

export const ticketDrafts = ticketDraftsIn(() => window.localStorage, keptAttempts)
