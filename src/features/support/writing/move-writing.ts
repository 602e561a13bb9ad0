import { moveAttachments } from '@/lib/attachments/use-attachments.ts'
import { ticketDrafts, type DraftPlace } from './ticket-draft.ts'

/** Takes what was written in a ticket and not sent to the one in which its writer goes on: the text and its files. */
export const moveWriting = (from: DraftPlace, ticket: string): void => {
  ticketDrafts.move(from, ticket)
  moveAttachments({ userId: from.userId, message: from.ticket }, ticket)
}
