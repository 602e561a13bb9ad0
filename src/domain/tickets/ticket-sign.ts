import type { TicketSide } from './ticket-state.ts'

/** The act of somebody in a ticket right now: has the form of a reply in work, writes a message, writes a note. */
export const TICKET_SIGNS = ['answering', 'writing', 'noting'] as const
export type TicketSign = (typeof TICKET_SIGNS)[number]

/** How often a page repeats what its person does, and after which time without a repetition it is over. */
export const SIGN_EVERY_MS = 4_000
export const SIGN_LASTS_MS = 10_000

/** The people who are told of a sign: staff who work on the ticket, or its opener and those who were added. */
export type SignAudience = TicketSide

/**
 * The sign as an audience is told of it; null when it is not told of it. Customers only write messages, and they hear
 * of staff only when a message is written: never that a ticket is looked at, and never of a note (decision 93).
 */
export const shownSign = (side: TicketSide, sign: TicketSign | null, audience: SignAudience): TicketSign | null =>
  sign === 'writing' || (sign !== null && side === 'staff' && audience === 'staff') ? sign : null

/**
 * The message to an audience when a sign follows another one of the same person: null for nothing, `ended` when what it
 * was told is over.
 */
export const nextSign = (
  side: TicketSide,
  { before, now }: { readonly before: TicketSign | null; readonly now: TicketSign | null },
  audience: SignAudience,
): TicketSign | 'ended' | null =>
  shownSign(side, now, audience) ?? (shownSign(side, before, audience) === null ? null : 'ended')
