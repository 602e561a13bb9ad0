/** The kind of text that is being written: a reply to the customer, or a note to staff. */
export const COMPOSER_MODES = ['reply', 'note'] as const
export type ComposerMode = (typeof COMPOSER_MODES)[number]

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Place = { readonly userId: string; readonly ticketId: string; readonly mode: ComposerMode }

const keyOf = ({ userId, ticketId, mode }: Place): string => `ticket-draft:${userId}:${ticketId}:${mode}`

/**
 * The drafts of a browser, each of one member of staff. A reply and a note have one each, so that nothing written as a note is ever
 * sent as a reply. A browser without room or storage keeps none.
 */
export const ticketDraftsIn = (store: () => Store) => {
  const drafts = keptIn(store)
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

const keptIn = (store: () => Store) => ({
  read: (place: Place): string => {
    try {
      return store().getItem(keyOf(place)) ?? ''
    } catch {
      return ''
    }
  },
  keep: (place: Place, text: string): void => {
    try {
      if (text === '') store().removeItem(keyOf(place))
      else store().setItem(keyOf(place), text)
    } catch {
      // Storage is full or switched off.
    }
  },
})

export const ticketDrafts = ticketDraftsIn(() => window.localStorage)
