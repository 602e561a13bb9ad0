import { serversOf } from '#contracts/control-api/shown-server.ts'
import { ServerLayout } from '#contracts/http/server-layout.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import {
  arranged,
  changedLayout,
  EMPTY_LAYOUT,
  type LayoutChange,
  type LayoutResult,
} from '#domain/servers/list-layout.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../../platform/context.ts'

type Person = Pick<Caller, 'userId'>

/** The person's own and shared servers, newest first, as in the list. */
const readServerIds = async (sql: Sql, { userId }: Person): Promise<string[]> => {
  const rows = await sql.query<{ id: string }>(
    `select s.id from control_api.servers s where ${serversOf('$1')} order by s.id desc`,
    [userId],
  )
  return rows.map(({ id }) => id)
}

/** How the caller has arranged the list of servers. */
export async function readServerLayout(sql: Sql, caller: Person): Promise<ServerLayout> {
  const [row] = await sql.query<{ layout: unknown }>('select layout from control.server_layouts where user_id = $1', [
    caller.userId,
  ])
  const known = row === undefined ? EMPTY_LAYOUT : ServerLayout.parse(row.layout)
  return ServerLayout.parse(arranged(known, await readServerIds(sql, caller)))
}

/** Applies one change to the caller's layout as it is at that moment. A refused one leaves no trace. */
export function changeServerLayout(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, change }: { caller: Person; change: LayoutChange },
): Promise<LayoutResult> {
  return db.transaction(async (tx) => {
    // The first change of a person has no row yet that could be locked.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 72))', [`server layout ${caller.userId}`])
    const result = changedLayout(await readServerLayout(tx, caller), change)
    if (result.ok) {
      await tx.query(
        `insert into control.server_layouts (user_id, layout, changed_at) values ($1, $2, $3)
         on conflict (user_id) do update set layout = excluded.layout, changed_at = excluded.changed_at`,
        [caller.userId, JSON.stringify(result.layout), new Date(clock.now())],
      )
    }
    return result
  })
}
