import type { TicketCategories } from '#contracts/http/ticket.ts'
import { REPLY_DAYS, REPLY_SHARES, replyTime } from '#domain/tickets/reply-time.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTicketCategories } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import type { TicketCaller } from './reach-ticket.ts'

const DAY_MS = 86_400_000

type Waits = { readonly category_id: string; readonly replies: number; readonly waits: readonly number[] }

/** The first replies since a moment, by category: their number, and the waits of the domain's shares in milliseconds. */
const waitsSince = async (sql: Sql, since: Date): Promise<ReadonlyMap<string, Waits>> => {
  const rows = await sql.query<Waits>(
    `select category_id, count(*)::integer as replies,
       percentile_disc($2::float8[]) within group (
         order by greatest(0, 1000 * extract(epoch from first_reply_at - created_at))::float8) as waits
     from control.tickets where first_reply_at > $1 group by category_id`,
    [since, REPLY_SHARES],
  )
  return new Map(rows.map((row) => [row.category_id, row]))
}

/** The active categories by name, with the reply time of the last 30 days where it is known. */
export async function listTicketCategories(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { locale }: Pick<TicketCaller, 'locale'>,
): Promise<TicketCategories> {
  const waits = await waitsSince(db, new Date(clock.now() - REPLY_DAYS * DAY_MS))
  return (await readTicketCategories(db))
    .filter(({ active }) => active)
    .map(({ id, name }) => ({ id, name: name[locale], replyTime: replyTime(waits.get(id)) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
}
