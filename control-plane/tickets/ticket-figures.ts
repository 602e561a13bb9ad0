import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { dayFormat } from '#domain/kernel/calendar-day.ts'
import { REPLY_SHARES } from '#domain/tickets/reply-time.ts'
import { FIGURE_KINDS, figuresOf, lastDays, type FigureDays, type Tally } from '#domain/tickets/ticket-figures.ts'
import { worksOn, type TicketViewer } from '#domain/tickets/ticket-access.ts'
import { SITE_TIME_ZONE } from '#domain/users/time-zone.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'
import { readPeople, readTicketCategories } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import { refuse, viewerOf, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { withMerged } from './ticket-store.ts'

/** Days follow the house's time zone. */
const ZONE = SITE_TIME_ZONE
const DAY = dayFormat(ZONE)

const SINCE = `($1::date::timestamp at time zone '${ZONE}')`
const MINE = '($2 or t.category_id = any ($3::uuid[]))'
const took = (until: string, since: string): string =>
  `greatest(0, 1000 * extract(epoch from ${until} - ${since}))::float8`

/**
 * Counts everything since the day $1, for all of it and by category, by member of staff and by day. A ticket that was merged goes
 * on in another one and counts there, with the first reply to either.
 */
const TALLIES = `
  with moved as materialized (
    select t.category_id, t.created_at, a.asked_at, a.first_reply_at, t.closed_at, t.assignee_id,
      coalesce(t.rating, (select g.rating from control.tickets g
        where g.merged_into = t.id and g.rating is not null order by g.closed_at desc limit 1)) as rating,
      (select m.author_id from control.ticket_messages m
        where m.ticket_id = a.id and m.by_staff and m.kind = 'message' order by m.seq limit 1) as replier_id
    from control.tickets t cross join lateral (select f.id, f.created_at as asked_at, f.first_reply_at from control.tickets f
      where f.id in ${withMerged('t.id')} order by f.first_reply_at nulls last, f.id limit 1) a
    where (t.created_at >= ${SINCE} or t.first_reply_at >= ${SINCE} or t.closed_at >= ${SINCE}
        or t.id in (select g.merged_into from control.tickets g where g.first_reply_at >= ${SINCE}))
      and t.merged_into is null and ${MINE}
  ), fact as (
    select 'opened' as kind, category_id, null::uuid as staff_id, created_at as at, null::float8 as took, null as rating
    from moved where created_at >= ${SINCE}
    union all select 'answered', category_id, replier_id, first_reply_at, ${took('first_reply_at', 'asked_at')}, null
    from moved where first_reply_at >= ${SINCE}
    union all select case when first_reply_at is null then 'unanswered' else 'solved' end, category_id, coalesce(assignee_id, replier_id),
      closed_at, ${took('closed_at', 'created_at')}, rating
    from moved where closed_at >= ${SINCE}
    union all select 'waiting', t.category_id, null, t.waiting_since, null, null
    from control.tickets t where t.waiting_since is not null and ${MINE}
  ), seen as (
    select kind, category_id, staff_id, took, rating, to_char(at at time zone '${ZONE}', 'YYYY-MM-DD') as day
    from fact
  )
  select kind, category_id, staff_id, day, count(*)::integer as count, percentile_disc($4::float8[]) within group (order by took) as waits,
    count(*) filter (where rating = 'good')::integer as good, count(*) filter (where rating = 'bad')::integer as bad,
    grouping(category_id, staff_id, day) as grouped
  from seen group by grouping sets ((kind), (kind, category_id), (kind, staff_id), (kind, day))`

/** Which of category, person and day a row is not about, as PostgreSQL writes it. */
const ABOUT = { all: 0b111, category: 0b011, person: 0b101, day: 0b110 } as const

const Row = z.object({
  kind: z.enum(FIGURE_KINDS),
  category_id: z.string().nullable(),
  staff_id: z.string().nullable(),
  day: z.string().nullable(),
  count: z.int(),
  waits: z.array(z.number()).nullable(),
  good: z.int(),
  bad: z.int(),
  grouped: z.int(),
})
type Row = z.infer<typeof Row>

const about = (rows: readonly Row[], group: keyof typeof ABOUT): readonly Row[] =>
  rows.filter(({ grouped }) => grouped === ABOUT[group])

const by = (rows: readonly Row[], idOf: (row: Row) => string | null): ReadonlyMap<string, readonly Tally[]> => {
  const groups = new Map<string, Tally[]>()
  for (const row of rows) {
    const id = idOf(row)
    if (id !== null) groups.set(id, [...(groups.get(id) ?? []), row])
  }
  return groups
}

type Read = { readonly viewer: TicketViewer; readonly rows: readonly Row[]; readonly locale: TicketCaller['locale'] }

/** The categories of the reader that are open or have figures, by name; those that are gone stand last. */
async function categoriesIn(sql: Sql, { viewer, rows, locale }: Read): Promise<TicketFigures['categories']> {
  const tallies = by(about(rows, 'category'), ({ category_id: id }) => id)
  const known = (await readTicketCategories(sql)).filter(({ id }) => worksOn(viewer, id))
  const named = known
    .filter(({ id, active }) => active || tallies.has(id))
    .map(({ id, name }) => ({ id, name: name[locale] }))
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
  const gone = [...tallies.keys()].filter((id) => !known.some((category) => category.id === id))
  return [...named, ...gone.map((id) => ({ id, name: '' }))].map((category) => ({
    ...category,
    ...figuresOf(tallies.get(category.id) ?? []),
  }))
}

/** The members of staff with figures, by name; support reads its own, also without any. */
async function staffIn(sql: Sql, { viewer, rows, locale }: Read): Promise<TicketFigures['staff']> {
  const tallies = by(about(rows, 'person'), ({ staff_id: id }) => id)
  const ids = viewer.isAdmin ? [...tallies.keys()] : [viewer.userId]
  const people = new Map((await readPeople(sql, ids)).map(({ id, username }) => [id, username]))
  return ids
    .map((id) => {
      const { answered, firstReply, solved, solving, good, bad } = figuresOf(tallies.get(id) ?? [])
      return { id, username: people.get(id) ?? '', answered, firstReply, solved, solving, good, bad }
    })
    .filter(({ answered, solved, good, bad }) => !viewer.isAdmin || answered + solved + good + bad > 0)
    .toSorted((one, other) => one.username.localeCompare(other.username, locale))
}

/** Figures of the tickets that a member of staff works on; FORBIDDEN for everybody else. */
export async function ticketFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, days }: { readonly caller: TicketCaller; readonly days: FigureDays },
): Promise<{ readonly ok: true; readonly figures: TicketFigures } | TicketRefusal> {
  if (!caller.isAdmin && !caller.isSupport) return refuse('FORBIDDEN')
  const viewer = await viewerOf(db, caller)
  const shown = lastDays(DAY.format(clock.now()), days)
  const found = await db.query<Record<string, unknown>>(TALLIES, [
    shown[0],
    viewer.isAdmin,
    viewer.categoryIds,
    REPLY_SHARES,
  ])
  const rows = found.map((row) => Row.parse(row))
  const read = { viewer, rows, locale: caller.locale }
  const byDay = by(about(rows, 'day'), ({ day }) => day)
  const figures = {
    all: figuresOf(about(rows, 'all')),
    days: shown.map((day) => {
      const { opened, solved } = figuresOf(byDay.get(day) ?? [])
      return { day, opened, solved }
    }),
    categories: await categoriesIn(db, read),
    staff: await staffIn(db, read),
  }
  return { ok: true, figures }
}
