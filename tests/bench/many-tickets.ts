import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/postgres/database.ts'

export const TICKETS = 50_000
export const MESSAGES_OF_EACH = 8
/** As many rows a statement: no transaction is that large. */
const STEP = 1_000

/** Words of one message: every reader finds some of them often, some rarely, and one once. */
const WORDS = [
  'server',
  'szerver',
  'starts',
  'nem indul',
  'after',
  'the update',
  'frissítés',
  'payment',
  'Zahlung',
  'plugin',
  'világ',
  'crashed',
  'password',
  'lag',
  'evening',
  'invoice',
]

/** The same id of a text each time, as the calls take it: a hash with the version and the variant of a UUID (RFC 9562, section 5.4). */
const idOfText = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`

/**
 * 50,000 tickets with 400,000 messages: the openers in turn, two of seven still open, half of these waiting for staff; every message has
 * eight of the words and one of its own.
 */
export async function seedTickets(
  db: Database,
  { openers, staffId, categoryIds }: { openers: readonly string[]; staffId: string; categoryIds: readonly string[] },
): Promise<void> {
  const batch = randomUUID()
  for (let from = 0; from < TICKETS; from += STEP) {
    await db.query(
      `insert into control.tickets (id, identifier, title, category_id, status, opener_id, waiting_since, first_reply_at, closed_at, created_at, moved_at)
       select ${idOfText('$1 || n')}, translate(lpad(to_hex(n), 8, '0'), '0123456789abcdef', 'acdefghjkmnpqrtu'),
         (array['The server does not start', 'Nem indul a szerver', 'Zahlung ist nicht da', 'Lag in the evening'])[n % 4 + 1] || ' ' || n,
         ($2::uuid[])[n % cardinality($2::uuid[]) + 1],
         case when n % 7 > 1 then 'closed' when n % 2 = 0 then 'open' else 'waiting for response' end,
         ($3::uuid[])[n % cardinality($3::uuid[]) + 1],
         case when n % 7 <= 1 and n % 2 = 0 then at.opened + interval '5 hours' end, at.opened + interval '20 minutes',
         case when n % 7 > 1 then at.opened + interval '9 hours' end, at.opened, at.opened + interval '9 hours'
       from generate_series($4::int, $4 + $5::int - 1) n,
         lateral (select now() - interval '10 hours' - n * interval '15 minutes' as opened) at`,
      [batch, categoryIds, openers, from, STEP],
    )
    await db.query(
      `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, created_at)
       select ${idOfText('t.id::text || m')}, t.id, case when m % 2 = 0 then t.opener_id else $3 end, m % 2 = 1, case when m = 5 then 'note' else 'message' end,
         (select string_agg(($4::text[])[1 + abs(hashtext(t.identifier || m || w)) % cardinality($4::text[])], ' ') from generate_series(1, 8) w)
           || ' ' || t.identifier || m, t.created_at + m * interval '1 hour'
       from control.tickets t, generate_series(0, $2::int - 1) m
       where t.id in (select ${idOfText('$1 || n')} from generate_series($5::int, $5 + $6::int - 1) n) order by t.created_at, m`,
      [batch, MESSAGES_OF_EACH, staffId, WORDS, from, STEP],
    )
  }
  await db.query('vacuum analyze control.tickets')
  await db.query('vacuum analyze control.ticket_messages')
}
