import type { Sql } from '../context/database.ts'
import type { Place } from '../context/sealing.ts'

/** A column of schema identity with sealed values, and the column that identifies its rows. */
type SealedColumn = { readonly table: string; readonly column: string; readonly row: string }

/** Every column with sealed values. A rotation walks them; a test compares the list with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'signing_keys', column: 'sealed', row: 'kid' },
  { table: 'totp', column: 'sealed_secret', row: 'user_id' },
]

/** One stored value. */
export type SealedValue = { readonly place: Place; readonly value: string }

const BATCH = 100

/** Values that are not sealed under this key, at most 100 per column at a time. */
export const valuesOfOtherKeys = async (
  sql: Sql,
  { table, column, row }: SealedColumn,
  keyId: string,
): Promise<SealedValue[]> => {
  const rows = await sql.query<{ row: string; value: string }>(
    `select ${row}::text as row, ${column} as value from identity.${table}
     where ${column} is not null and not starts_with(${column}, $1) limit ${BATCH}`,
    [`bound:${keyId}:`],
  )
  return rows.map((each) => ({ place: { table, column, row: each.row }, value: each.value }))
}

/** Replaces a value by the same secret under another key, unless it has changed meanwhile. */
export const replaceValue = async (
  sql: Sql,
  { table, column, row }: SealedColumn,
  change: { readonly old: SealedValue; readonly value: string },
): Promise<void> => {
  await sql.query(`update identity.${table} set ${column} = $3 where ${row}::text = $1 and ${column} = $2`, [
    change.old.place.row,
    change.old.value,
    change.value,
  ])
}

/** Whether any stored value is sealed under this key. */
export const isKeyInUse = async (sql: Sql, keyId: string): Promise<boolean> => {
  for (const { table, column } of SEALED_COLUMNS) {
    const found = await sql.query(`select 1 from identity.${table} where starts_with(${column}, $1) limit 1`, [
      `bound:${keyId}:`,
    ])
    if (found.length > 0) return true
  }
  return false
}
