import { ticketPath } from '../../ticket-area.ts'

/** Where the page of a ticket begins: in the field of the reply, or with the choice of a saved reply. */
export const WRITING_PLACES = ['reply', 'saved reply'] as const
export type WritingPlace = (typeof WRITING_PLACES)[number]

const HASHES: Readonly<Record<WritingPlace, string>> = { reply: '#reply', 'saved reply': '#saved-reply' }

/** The address of a ticket's page that begins there. */
export const writingPath = (ticketId: string, place: WritingPlace): string => ticketPath(ticketId) + HASHES[place]

/** Where the page begins by its address. It is asked for once: the address loses it, so that a reload begins as usual. */
export const takenWritingPlace = (): WritingPlace | undefined => {
  const place = WRITING_PLACES.find((each) => HASHES[each] === window.location.hash)
  if (place !== undefined) {
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search)
  }
  return place
}
