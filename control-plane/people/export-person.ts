import type { ExportPage } from '#contracts/http/privacy.ts'
import { exportPageOf, exportStatement, type PersonKey } from '#domain/users/personal-statements.ts'
import { personalTablesOf } from '#domain/users/personal-tables.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** A page of the person's rows in a table of the control plane; undefined for a table outside the export. */
export async function exportPage(
  sql: Sql,
  { person, table: name, offset }: { person: PersonKey; table: string; offset: number },
): Promise<ExportPage | undefined> {
  const table = personalTablesOf('control plane').find((each) => each.table === name)
  if (!table) return undefined
  const limit = exportPageOf(table)
  const statement = exportStatement(table, person, { offset, limit })
  if (!statement) return undefined
  const rows = await sql.query<{ row: Record<string, unknown> }>(statement.text, statement.values)
  return { rows: rows.map(({ row }) => row), next: rows.length < limit ? null : offset + limit }
}
