import type { ExportPage } from '#contracts/http/privacy.ts'
import { exportStatement, personalTablesOf, type PersonKey } from '#domain/users/personal-tables.ts'
import type { Sql } from '#platform/postgres/database.ts'

const PAGE = 500

/** A page of the person's rows in a table of the control plane; undefined for a table outside the export. */
export async function exportPage(
  sql: Sql,
  { person, table: name, offset }: { person: PersonKey; table: string; offset: number },
): Promise<ExportPage | undefined> {
  const table = personalTablesOf('control plane').find((each) => each.table === name)
  const statement = table && exportStatement(table, person, { offset, limit: PAGE })
  if (!statement) return undefined
  const rows = await sql.query<{ row: Record<string, unknown> }>(statement.text, statement.values)
  return { rows: rows.map(({ row }) => row), next: rows.length < PAGE ? null : offset + PAGE }
}
