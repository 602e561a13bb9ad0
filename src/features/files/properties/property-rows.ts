import type { ConfigField, ConfigForm } from '#domain/config-files/config-form.ts'
import type { PropertyEntry } from '#domain/config-files/java-properties.ts'
import type { PropertyTexts } from './property-texts.ts'

export type PropertyRow = {
  readonly entry: PropertyEntry
  readonly field: ConfigField | undefined
  /** Earlier entries of the same key, which the program does not see. */
  readonly hidden: number
}
export type RowGroup = { readonly group: string; readonly rows: readonly PropertyRow[] }
/** The group of the keys that nothing describes. */
export const OTHER = 'other'

/** The entries that the program sees: of each key the last one. */
const seenRows = ({ fieldOf }: ConfigForm, entries: readonly PropertyEntry[]): PropertyRow[] => {
  const byKey = new Map<string, PropertyRow>()
  for (const entry of entries) {
    const earlier = byKey.get(entry.key)
    const hidden = earlier === undefined ? 0 : earlier.hidden + 1
    byKey.set(entry.key, { entry, field: fieldOf(entry.key), hidden })
  }
  byKey.delete('')
  return [...byKey.values()]
}

const isWanted = ({ entry }: PropertyRow, texts: PropertyTexts, wanted: string): boolean => {
  const { name = '', help = '' } = texts[entry.key] ?? {}
  return [entry.key, name, help].some((text) => text.toLowerCase().includes(wanted))
}

export type Sorting = {
  readonly form: ConfigForm
  /** The groups in their order. */
  readonly groups: readonly string[]
  readonly texts: PropertyTexts
  readonly search: string
}

/** The rows of the form by group, in the order of its fields; keys that nothing describes come last, in the file's order. */
export const groupedRows = (
  entries: readonly PropertyEntry[],
  { form, groups, texts, search }: Sorting,
): readonly RowGroup[] => {
  const order = new Map(form.fields.map(({ key }, index) => [key, index]))
  const wanted = search.trim().toLowerCase()
  const rows = seenRows(form, entries).filter((row) => wanted === '' || isWanted(row, texts, wanted))
  const sorted = rows.toSorted((a, b) => (order.get(a.entry.key) ?? 0) - (order.get(b.entry.key) ?? 0))
  return [...groups, OTHER]
    .map((group) => ({ group, rows: sorted.filter(({ field }) => (field?.group ?? OTHER) === group) }))
    .filter((found) => found.rows.length > 0)
}

/** Keys of the form that the file does not have, and that a customer sets. */
export const missingFields = (form: ConfigForm, entries: readonly PropertyEntry[]): readonly ConfigField[] => {
  const present = new Set(entries.map(({ key }) => key))
  return form.fields.filter(({ key, kind }) => !present.has(key) && kind.is !== 'allocation')
}

/** The entry in whose lines the cursor is. `line` counts from 1. */
export const entryAtLine = (
  text: string,
  entries: readonly PropertyEntry[],
  line: number,
): PropertyEntry | undefined => {
  let [first, counted] = [1, 0]
  const lineOf = (offset: number): number => {
    for (; counted < offset; counted += 1) if (text[counted] === '\n') first += 1
    return first
  }
  return entries.find(({ from, to }) => lineOf(from) <= line && line <= lineOf(to))
}
