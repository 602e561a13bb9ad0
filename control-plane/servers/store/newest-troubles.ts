import { LocalizedText } from '#contracts/locale.ts'
import { SERVER_TROUBLES, TROUBLE_DAYS, TROUBLES_SHOWN } from '#domain/servers/server-trouble.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'

const DAY_MS = 86_400_000

const Row = z.object({
  server_id: z.string(),
  type: z.enum(SERVER_TROUBLES),
  created_at: z.date(),
  error: z.string().nullable(),
  staff_error: LocalizedText.nullable(),
  lines: z.array(z.string()).nullable(),
})

/**
 * A trouble of a server: `error` is the id of a known error, `staffError` the title of a rule of staff where none of ours fits. `lines` are those before a
 * crash, if they were asked for.
 */
export type NewestTrouble = {
  readonly type: z.infer<typeof Row>['type']
  readonly at: string
  readonly error: string | null
  readonly staffError: LocalizedText | null
  readonly lines: readonly string[]
}

/** The newest troubles of each of these servers, the newest first. Those that staff caused are left out. */
export async function newestTroubles(
  sql: Sql,
  { serverIds, nowMs, withLines }: { serverIds: readonly string[]; nowMs: number; withLines: boolean },
): Promise<ReadonlyMap<string, readonly NewestTrouble[]>> {
  const rows = await sql.query<Record<string, unknown>>(
    `select s.id as server_id, a.type, a.created_at, a.detail ->> 'error' as error,
       nullif(a.detail -> 'staffError', 'null') as staff_error,
       case when $5 then nullif(a.detail -> 'lines', 'null') end as lines
     from unnest($1::uuid[]) s (id) cross join lateral (
       select n.id, n.type, n.created_at, n.detail from control.activities n
       where n.server_id = s.id and n.done_by <> 'staff' and n.type = any ($2) and n.created_at > $3
       order by n.created_at desc, n.id desc limit $4) a
     order by s.id, a.created_at desc, a.id desc`,
    [serverIds, SERVER_TROUBLES, new Date(nowMs - TROUBLE_DAYS * DAY_MS), TROUBLES_SHOWN, withLines],
  )
  const found = new Map<string, NewestTrouble[]>()
  for (const row of rows) {
    const { server_id: id, created_at: at, type, error, staff_error: staffError, lines } = Row.parse(row)
    found.set(id, [...(found.get(id) ?? []), { type, at: at.toISOString(), error, staffError, lines: lines ?? [] }])
  }
  return found
}
