import type { TicketView } from '#contracts/http/ticket.ts'
import type { StaffCategory } from './staff-categories.ts'

/** What a dialog about a ticket gets. `reload` reads the ticket again after the act. */
export type TicketDialogProps = {
  readonly view: TicketView
  readonly categories: readonly StaffCategory[]
  /** The reader. */
  readonly userId: string
  readonly reload: () => Promise<unknown>
  readonly onClose: () => void
}
