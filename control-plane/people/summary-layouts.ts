import { StoredSummaryLayout, SummaryLayout } from '#contracts/summary/layout.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import {
  changedSummary,
  DEFAULT_SUMMARY_LAYOUT,
  summaryOf,
  type SummaryLayoutChange,
} from '#domain/users/summary-layout.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../platform/context.ts'

type Person = Pick<Caller, 'userId'>

const readStored = async (sql: Sql, { userId }: Person) => {
  const [row] = await sql.query<{ layout: unknown }>('select layout from control.summary_layouts where user_id = $1', [
    userId,
  ])
  return row === undefined ? DEFAULT_SUMMARY_LAYOUT : StoredSummaryLayout.parse(row.layout)
}

/** How the caller has arranged the summary. */
export async function readSummaryLayout(sql: Sql, caller: Person): Promise<SummaryLayout> {
  return SummaryLayout.parse(summaryOf(await readStored(sql, caller)))
}

/** Applies one change to the caller's layout as it is at that moment. A reset leaves no row. */
export function changeSummaryLayout(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, change }: { caller: Person; change: SummaryLayoutChange },
): Promise<SummaryLayout> {
  return db.transaction(async (tx) => {
    // The first change of a person has no row yet that could be locked.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 128))', [`summary layout ${caller.userId}`])
    if (change.kind === 'reset') {
      await tx.query('delete from control.summary_layouts where user_id = $1', [caller.userId])
    } else {
      const layout = changedSummary(await readStored(tx, caller), change)
      await tx.query(
        `insert into control.summary_layouts (user_id, layout, changed_at) values ($1, $2, $3)
         on conflict (user_id) do update set layout = excluded.layout, changed_at = excluded.changed_at`,
        [caller.userId, JSON.stringify(layout), new Date(clock.now())],
      )
    }
    return readSummaryLayout(tx, caller)
  })
}
