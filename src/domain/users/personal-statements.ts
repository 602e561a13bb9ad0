import type { PersonalTable } from './personal-tables.ts'

const matchOf = ({ columns, match }: PersonalTable): string => match ?? `${columns[0]} = $1`
// PostgreSQL refuses a second value for a statement without $2.
const usesAddress = (table: PersonalTable): boolean => matchOf(table).includes('$2')

/** An SQL statement and its values. */
export type Statement = { readonly text: string; readonly values: readonly (string | number | null)[] }

export type PersonKey = { readonly userId: string; readonly email: string | null }

const valuesOf = (table: PersonalTable, { userId, email }: PersonKey) =>
  usesAddress(table) ? [userId, email] : [userId]

/** A row of the export as JSON. PostgreSQL breaks base64 into lines. The bytes themselves never become JSON, which would write them as hex. */
const rowOf = (exported: NonNullable<PersonalTable['export']>): { readonly row: string; readonly beside: string } => {
  if (exported.file === undefined) {
    const without = (exported.without ?? []).map((column) => `'${column}'`).join(', ')
    return { row: without === '' ? 'to_jsonb(t)' : `to_jsonb(t) - array[${without}]`, beside: '' }
  }
  const base64 = `translate(encode(t.${exported.file}, 'base64'), E'\\n', '')`
  const columns = exported.beside.map((column) => `t.${column}`).join(', ')
  return {
    row: `to_jsonb(beside) || jsonb_build_object('base64', ${base64})`,
    beside: ` cross join lateral (select ${columns}) beside`,
  }
}

/**
 * Reads a page of a table's export, each row as one JSON `row`; undefined if nothing is exported. The page is cut before anything becomes JSON: rows
 * that are sorted away would be read and encoded for each page again, and files are large.
 */
export const exportStatement = (
  table: PersonalTable,
  person: PersonKey,
  { offset, limit }: { offset: number; limit: number },
): Statement | undefined => {
  if (table.export === null) return undefined
  const { row, beside } = rowOf(table.export)
  const values = valuesOf(table, person)
  const page = `offset $${values.length + 1} limit $${values.length + 2}`
  const rows = `select * from ${table.table} t where ${matchOf(table)} order by ${table.export.key} ${page}`
  return { text: `select ${row} as row from (${rows}) t${beside}`, values: [...values, offset, limit] }
}

const setsOf = (blanks: Readonly<Record<string, string>> = {}): string =>
  Object.entries(blanks)
    .map(([column, expression]) => `${column} = ${expression}`)
    .join(', ')

/** So many rows of an export are read at a time. */
const EXPORT_PAGE = 500

/** How many rows of a table a page of its export holds: one where each may be a large file. */
export const exportPageOf = ({ export: exported }: PersonalTable): number =>
  exported?.file === undefined ? EXPORT_PAGE : 1

/** Deletes or blanks a person's data in a table; undefined if they stay. Idempotent. */
export const erasureStatement = (table: PersonalTable, person: PersonKey): Statement | undefined => {
  if (table.onDeletion === 'keep') return undefined
  const values = valuesOf(table, person)
  const where = `where ${matchOf(table)}`
  const { keeps, quotes } = table
  if (table.onDeletion === 'pseudonymise') {
    return { text: `update ${table.table} set ${setsOf(table.blanks)} ${where}`, values }
  }
  const others = [
    ...(keeps ? [`kept as (update ${table.table} set ${setsOf(keeps.blanks)} ${where} and ${keeps.where})`] : []),
    ...(quotes ? [`quoting as (update ${table.table} set ${setsOf(quotes.blanks)} where ${quotes.where})`] : []),
  ]
  const first = others.length > 0 ? `with ${others.join(', ')} ` : ''
  const rest = keeps ? ` and (${keeps.where}) is not true` : ''
  return { text: `${first}delete from ${table.table} ${where}${rest}`, values }
}
