import type { TicketView } from '#contracts/http/ticket.ts'
import type { StaffCategory } from './staff-categories.ts'

/** The props of a dialog about a ticket. `reload` reads the ticket again after the act. */
export type TicketDialogProps = {
  readonly view: TicketView
  readonly categories: readonly StaffCategory[]
  /** The reader. */
  readonly userId: string
  readonly reload: () => Promise<unknown>
  readonly onClose: () => void
}
