import * as z from 'zod'

const Draft = z
  .object({
    title: z.string(),
    categoryId: z.string(),
    message: z.string(),
    serverId: z.string(),
    leftOut: z.literal('yes'),
    leftOutLines: z.string(),
  })
  .partial()
/**
 * The unsent words of a person: the message of a reply, or all of a new ticket, with the server that it is about and whether its facts
 * stay out, or signs of the lines that do. The lines themselves may be secret and are not kept.
 */
export type Draft = z.infer<typeof Draft>

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
/** The owner of a draft, and its ticket: two people may share a browser. */
export type DraftPlace = { readonly userId: string; readonly ticket: string }

const keyOf = ({ userId, ticket }: DraftPlace): string => `bakter:ticket-draft:${userId}:${ticket}`
const isEmpty = (draft: Draft): boolean =>
  Object.values(draft).every((text) => text === undefined || text.trim() === '')

/** The drafts of tickets in a browser. A browser without room or storage keeps none, and the forms work without. */
export const draftsIn = (store: () => Store) => {
  const drafts = keptIn(store)
  return {
    ...drafts,
    /** Puts the message below that of another ticket, because this one goes on there. */
    move: (from: DraftPlace, ticket: string): void => {
      const { message = '' } = drafts.read(from)
      if (message.trim() === '') return
      const to = { ...from, ticket }
      const there = drafts.read(to)
      if (drafts.keep(to, { ...there, message: [there.message, message].filter(Boolean).join('\n\n') }))
        drafts.forget(from)
    },
  }
}

const keptIn = (store: () => Store) => ({
  read: (place: DraftPlace): Draft => {
    try {
      return Draft.catch({}).parse(JSON.parse(store().getItem(keyOf(place)) ?? '{}'))
    } catch {
      return {}
    }
  },
  /** Returns whether it is kept. An empty draft is none. */
  keep: (place: DraftPlace, draft: Draft): boolean => {
    try {
      if (isEmpty(draft)) store().removeItem(keyOf(place))
      else store().setItem(keyOf(place), JSON.stringify(draft))
      return !isEmpty(draft)
    } catch {
      // Storage is full or switched off.
      return false
    }
  },
  forget: (place: DraftPlace): void => {
    try {
      store().removeItem(keyOf(place))
    } catch {
      // As above.
    }
  },
})

export const ticketDrafts = draftsIn(() => window.localStorage)
