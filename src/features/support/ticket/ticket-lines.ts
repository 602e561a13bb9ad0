import type { TicketMessage, TicketView } from '#contracts/http/ticket.ts'
import { withSentServer } from '#domain/tickets/sent-server.ts'

type Lines = Pick<TicketView, 'messages' | 'hasEarlier'>

/** Whether another ticket was merged into this one since: its lines stand between those that the page has. */
const isMergedSince = (known: Lines, newest: Lines): boolean =>
  newest.messages.some(
    ({ id, event }) => event?.type === 'merged from' && !known.messages.some((line) => line.id === id),
  )

/** The lines of which the first overlaps; a page without one is too far from them, and lines between would be missing. */
const joined = (known: Lines, newest: Lines): Lines => {
  const first = newest.messages[0]?.id
  const at = isMergedSince(known, newest) ? -1 : known.messages.findIndex(({ id }) => id === first)
  return at === -1
    ? newest
    : { messages: [...known.messages.slice(0, at), ...newest.messages], hasEarlier: known.hasEarlier }
}

/** A ticket as it was just read, behind the earlier lines that the page has already. */
export const withNewest = (known: TicketView | undefined, newest: TicketView): TicketView =>
  known === undefined ? newest : { ...withSentServer(known, newest), ...joined(known, newest) }

/** A ticket with a page of earlier lines before those it has. Lines that it has by now are not repeated. */
export const withEarlier = (known: TicketView, earlier: Lines): TicketView => {
  const ids = new Set(known.messages.map(({ id }) => id))
  return {
    ...known,
    messages: [...earlier.messages.filter(({ id }) => !ids.has(id)), ...known.messages],
    hasEarlier: earlier.hasEarlier,
  }
}

/** A ticket with a line that was just written, unless it has been read in the meantime. */
export const withLine = (known: TicketView, line: TicketMessage): TicketView =>
  known.messages.some(({ id }) => id === line.id) ? known : { ...known, messages: [...known.messages, line] }
