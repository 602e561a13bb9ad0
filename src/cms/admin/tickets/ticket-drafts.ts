import { keptAttempts } from '@/lib/browser-client/kept-attempts.ts'

/** The kind of text that is being written: a reply to the customer, or a note to staff. */
export const COMPOSER_MODES = ['reply', 'note'] as const
export type ComposerMode = (typeof COMPOSER_MODES)[number]

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Place = { readonly userId: string; readonly ticketId: string; readonly mode: ComposerMode }

/** The name of a draft in its browser. An attempt to send it is kept beside it. */
export const draftName = ({ userId, ticketId, mode }: Place): string => `ticket-draft:${userId}:${ticketId}:${mode}`

/**
 * The drafts of a browser, each of one member of staff. A reply and a note have one each, so that nothing written as a note is ever
 * sent as a reply. A browser without room or storage keeps none. `isGone` hears that the words of a draft are gone: they were sent,
 * moved or taken out.
 */
export const ticketDraftsIn = (store: () => Store, isGone: (name: string) => void = () => {}) => {
  const drafts = keptIn(store, isGone)
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

const keptIn = (store: () => Store, isGone: (name: string) => void) => ({
  read: (place: Place): string => {
    try {
      return store().getItem(draftName(place)) ?? ''
    } catch {
      return ''
    }
  },
  keep: (place: Place, text: string): void => {
    if (text.trim() === '') isGone(draftName(place))
    try {
      if (text === '') store().removeItem(draftName(place))
      else store().setItem(draftName(place), text)
    } catch {
      // Storage is full or switched off.
    }
  },
})

export const ticketDrafts = ticketDraftsIn(() => window.localStorage, keptAttempts.forget)
