import type { TicketView } from '#contracts/http/ticket.ts'

/**
 * How long this ticket waited for its first reply, in milliseconds; undefined before there is one, while earlier lines are not read, and where
 * lines of another ticket were merged into it.
 */
export const firstReplyMs = ({ ticket, messages, hasEarlier }: TicketView): number | undefined => {
  if (hasEarlier || messages.some(({ origin }) => origin !== undefined)) return undefined
  const reply = messages.find(({ kind, author }) => kind === 'message' && author.isStaff)
  return reply && Date.parse(reply.createdAt) - Date.parse(ticket.createdAt)
}
