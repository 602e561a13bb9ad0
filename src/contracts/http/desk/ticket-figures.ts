import * as z from 'zod'
import { FIGURE_DAYS } from '#domain/tickets/ticket-figures.ts'
import { Id } from '../../primitives.ts'

const Count = z.int().min(0)
const Milliseconds = z.int().min(0)
/** How long half and nine of ten tickets took at most; null below ten tickets. */
const Times = z.object({ medianMs: Milliseconds, ninetyPercentMs: Milliseconds }).nullable()

const OfPerson = {
  answered: Count,
  firstReply: Times,
  solved: Count,
  solving: Times,
  good: Count,
  bad: Count,
}
/** `unanswered` are those closed without a reply of staff; `waiting` is of this moment, the others of the days asked for. */
const Figures = { ...OfPerson, opened: Count, unanswered: Count, waiting: Count }

/** Over how many days figures are asked for, today included. */
export const TicketFiguresQuery = z.object({ days: z.enum(FIGURE_DAYS).default('30') })

/**
 * Figures of the tickets that the reader works on (decision 96). `days` are those of the house's calendar, oldest first, each with its
 * tickets opened and solved. A category that is gone has no name, an account that is gone no username. Support reads only its own row of `staff`.
 */
export const TicketFigures = z.object({
  all: z.object(Figures),
  days: z.array(z.object({ day: z.iso.date(), opened: Count, solved: Count })),
  categories: z.array(z.object({ id: Id, name: z.string(), ...Figures })),
  staff: z.array(z.object({ id: Id, username: z.string(), ...OfPerson })),
})
export type TicketFigures = z.infer<typeof TicketFigures>
