import { describedProperty, PROPERTY_GROUPS, SERVER_PROPERTIES } from '#domain/config-files/server-properties.ts'
import type { DescribedProperty, PropertyGroup } from '#domain/config-files/server-properties.ts'
import type { PropertyEntry } from '#domain/config-files/java-properties.ts'
import type { PropertyTexts } from './property-texts.ts'

export type PropertyRow = {
  readonly entry: PropertyEntry
  readonly property: DescribedProperty | undefined
  /** Earlier entries of the same key, which the server does not see. */
  readonly hidden: number
}
export type RowGroup = { readonly group: PropertyGroup | 'other'; readonly rows: readonly PropertyRow[] }

/** The entries that the server sees: of each key the last one. */
const seenRows = (entries: readonly PropertyEntry[]): PropertyRow[] => {
  const byKey = new Map<string, PropertyRow>()
  for (const entry of entries) {
    const earlier = byKey.get(entry.key)
    const hidden = earlier === undefined ? 0 : earlier.hidden + 1
    byKey.set(entry.key, { entry, property: describedProperty(entry.key), hidden })
  }
  byKey.delete('')
  return [...byKey.values()]
}

const isWanted = ({ entry }: PropertyRow, texts: PropertyTexts, wanted: string): boolean => {
  const { name = '', help = '' } = texts[entry.key] ?? {}
  return [entry.key, name, help].some((text) => text.toLowerCase().includes(wanted))
}

const order = new Map(SERVER_PROPERTIES.map(({ key }, index) => [key, index]))

/** The rows of the form by group, in the order of the table of keys; those it does not know come last, in the file's order. */
export const groupedRows = (
  entries: readonly PropertyEntry[],
  texts: PropertyTexts,
  search: string,
): readonly RowGroup[] => {
  const wanted = search.trim().toLowerCase()
  const rows = seenRows(entries).filter((row) => wanted === '' || isWanted(row, texts, wanted))
  const sorted = rows.toSorted((a, b) => (order.get(a.entry.key) ?? 0) - (order.get(b.entry.key) ?? 0))
  const groups = [...PROPERTY_GROUPS, 'other'] as const
  return groups
    .map((group) => ({ group, rows: sorted.filter(({ property }) => (property?.group ?? 'other') === group) }))
    .filter((found) => found.rows.length > 0)
}

/** Known keys that the file does not have, and that a customer sets. */
export const missingProperties = (entries: readonly PropertyEntry[]): readonly DescribedProperty[] => {
  const present = new Set(entries.map(({ key }) => key))
  return SERVER_PROPERTIES.filter(({ key, kind }) => !present.has(key) && kind.is !== 'allocation')
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
