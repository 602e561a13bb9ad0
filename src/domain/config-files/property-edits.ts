import { additionOf, readProperties, valueChange, withChange } from './java-properties.ts'
import { describedProperty } from './server-properties.ts'

/** A new value of one key of server.properties; `from` is null where the file does not have the key. */
export type PropertyEdit = { readonly key: string; readonly from: string | null; readonly to: string }

const withValue = (text: string, key: string, value: string): string | undefined => {
  // The server sees the last of several entries of a key.
  const entry = readProperties(text)?.findLast((each) => each.key === key)
  const change = entry === undefined ? additionOf(text, key, value) : valueChange(entry, value)
  return change && withChange(text, change)
}

/** The text with the new values, and otherwise as it was; undefined for a file that Java refuses. */
export const withEdits = (text: string, edits: readonly PropertyEdit[]): string | undefined =>
  edits.reduce<string | undefined>(
    (before, { key, to }) => (before === undefined ? undefined : withValue(before, key, to)),
    text,
  )

/**
 * The text with the earlier values again, whatever else was written since, as the server itself does when it starts. A key
 * that was missing gets the value that the server uses without it. Undefined when one of the keys has another value by
 * now, which then stays.
 */
export const withoutEdits = (text: string, edits: readonly PropertyEdit[]): string | undefined => {
  const now = new Map(readProperties(text)?.map(({ key, value }) => [key, value]))
  if (edits.some(({ key, to }) => now.get(key) !== to)) return undefined
  const back = edits.map(({ key, from, to }) => ({
    key,
    from: to,
    to: from ?? describedProperty(key)?.kind.preset ?? '',
  }))
  return withEdits(text, back)
}
