import type { TicketCategories } from '#contracts/http/ticket.ts'
import { REPLY_DAYS, replyTime } from '#domain/tickets/reply-time.ts'
import { readTicketCategories } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import type { TicketCaller } from './reach-ticket.ts'

const DAY_MS = 86_400_000

/** The active categories by name, with the reply time of the last 30 days where it is known. */
export async function listTicketCategories(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { locale }: Pick<TicketCaller, 'locale'>,
): Promise<TicketCategories> {
  const rows = await db.query<{ category_id: string; created_at: Date; first_reply_at: Date }>(
    'select category_id, created_at, first_reply_at from control.tickets where first_reply_at > $1',
    [new Date(clock.now() - REPLY_DAYS * DAY_MS)],
  )
  const waitsOf = (id: string) =>
    rows
      .filter((row) => row.category_id === id)
      .map((row) => Math.max(0, row.first_reply_at.getTime() - row.created_at.getTime()))
  return (await readTicketCategories(db))
    .filter(({ active }) => active)
    .map(({ id, name }) => ({
      id,
      name: name[locale],
      replyTime: replyTime(waitsOf(id)),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
}
