import type { Sql } from '#platform/postgres/database.ts'

/** The activities of a server whose program ended unasked. */
export const CRASH_TYPES: readonly string[] = ['server:crashed', 'server:crash-loop']

/** The redacted lines before a server's newest crash; none from a node of the previous release. */
export async function linesOfLastCrash(sql: Sql, serverId: string): Promise<readonly string[]> {
  const [row] = await sql.query<{ lines: unknown }>(
    `select detail -> 'lines' as lines from control.activities where server_id = $1 and type = any ($2)
     order by created_at desc, id desc limit 1`,
    [serverId, CRASH_TYPES],
  )
  const lines = row?.lines
  return Array.isArray(lines) ? lines.filter((line): line is string => typeof line === 'string') : []
}
