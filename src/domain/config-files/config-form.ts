import { additionOf, readProperties, valueChange } from './java-properties.ts'
import type { PropertyEntry, TextChange } from './java-properties.ts'
import { describedProperty, refusedValue, SERVER_PROPERTIES } from './server-properties.ts'
import type { PropertyKind } from './server-properties.ts'

/** A key that the form explains, and its place there. */
export interface ConfigField {
  readonly key: string
  readonly group: string
  readonly kind: PropertyKind
}

/** A file whose values are fields: how its text is read, and how one value of it is changed. */
export interface ConfigForm {
  readonly format: 'properties' | 'yaml'
  readonly fields: readonly ConfigField[]
  readonly fieldOf: (key: string) => ConfigField | undefined
  /** The entries in the order of the text; undefined for a text that the program refuses. */
  readonly read: (text: string) => readonly PropertyEntry[] | undefined
  /** Puts a value in the place of an entry's present one; undefined where this format cannot say the value there. */
  readonly change: (text: string, entry: PropertyEntry, value: string) => TextChange | undefined
  /** Adds a key; null for a format where the program itself writes the keys. */
  readonly add: ((text: string, key: string, value: string) => TextChange | undefined) | null
}

/** Finds the field of a key; undefined for a key that nothing describes. */
export const fieldFinder = (fields: readonly ConfigField[]): ConfigForm['fieldOf'] => {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return (key) => byKey.get(key)
}

/** The form of a properties file with these fields. */
export const propertiesForm = (fields: readonly ConfigField[]): ConfigForm => ({
  format: 'properties',
  fields,
  fieldOf: fieldFinder(fields),
  read: readProperties,
  change: (_, entry, value) => valueChange(entry, value),
  add: additionOf,
})

/** The form of `server.properties`. */
export const serverPropertiesForm: ConfigForm = {
  ...propertiesForm(SERVER_PROPERTIES),
  fieldOf: describedProperty,
}

/** The value of each key, as the program sees it: of several entries of a key the last one. */
export const valuesOf = ({ read }: ConfigForm, text: string): ReadonlyMap<string, string> =>
  new Map(read(text)?.map(({ key, value }) => [key, value]))

/** Keys whose value differs from the saved one, and is one that the program does not accept. */
export const refusedChanges = (form: ConfigForm, text: string, savedText: string): readonly string[] => {
  const saved = valuesOf(form, savedText)
  const changed = [...valuesOf(form, text)].filter(([key, value]) => saved.get(key) !== value)
  return changed.flatMap(([key, value]) => {
    const kind = form.fieldOf(key)?.kind
    return kind === undefined || refusedValue(kind, value) === undefined ? [] : [key]
  })
}
