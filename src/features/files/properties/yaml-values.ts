import { isMap, isScalar, parseDocument, Scalar, stringify } from 'yaml'
import type { Document, Pair } from 'yaml'
import { fieldFinder } from '#domain/config-files/config-form.ts'
import type { ConfigField, ConfigForm } from '#domain/config-files/config-form.ts'
import { withChange } from '#domain/config-files/java-properties.ts'
import type { PropertyEntry, TextChange } from '#domain/config-files/java-properties.ts'
import { refusedValue } from '#domain/config-files/server-properties.ts'
import type { PropertyKind } from '#domain/config-files/server-properties.ts'

/** Programs on the Java side read YAML 1.1, where `yes` and `on` are true, and take the last of several equal names. */
const YAML_1_1 = { version: '1.1', merge: false, uniqueKeys: false } as const
const parsed = (text: string): Document.Parsed => parseDocument(text, YAML_1_1)

/** Values on one line: those of a block go over several, and stay in the text. */
const ON_ONE_LINE: readonly (Scalar.Type | undefined)[] = [Scalar.PLAIN, Scalar.QUOTE_SINGLE, Scalar.QUOTE_DOUBLE]

/** Without quotes SnakeYAML takes it for more than a text. */
const SIGN_OF_JAVA = '='

/** A value, and whether the program reads a text: `0123`, `12:30` and `2024_01` are numbers. */
type YamlEntry = PropertyEntry & { readonly isText: boolean }

/** The value that the program reads, as a text: a number or a day in its own spelling, nothing as an empty text. */
const valueOf = ({ value, source }: Scalar): string => {
  if (value === null) return ''
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : (source ?? String(value))
}

const entryOf = (key: string, scalar: Scalar, text: string): YamlEntry[] => {
  const [from, to] = scalar.range ?? [0, 0]
  const isOnOneLine = ON_ONE_LINE.includes(scalar.type) && !text.slice(from, to).includes('\n')
  if (!isOnOneLine || scalar.anchor !== undefined || scalar.tag !== undefined) return []
  return [
    {
      key,
      value: valueOf(scalar),
      from,
      to,
      isParted: text[from - 1] !== ':',
      isText: typeof scalar.value === 'string',
    },
  ]
}

const nameOf = ({ key }: Pair): string | undefined =>
  isScalar(key) && typeof key.value === 'string' ? key.value : undefined

/**
 * The single values below a node, by the names on the way to them. Names with dots would be two ways to one place, and a table
 * with an anchor stands in more than one.
 */
const entriesBelow = (node: unknown, above: string, text: string): YamlEntry[] => {
  if (!isMap(node) || node.anchor !== undefined) return []
  const last = new Map(node.items.map((pair) => [nameOf(pair), pair.value]))
  return node.items.flatMap((pair) => {
    const name = nameOf(pair)
    if (name === undefined || name === '' || name.includes('.')) return []
    const path = above === '' ? name : `${above}.${name}`
    const { value } = pair
    if (isScalar(value)) return isScalar(last.get(name)) ? entryOf(path, value, text) : []
    return last.get(name) === value ? entriesBelow(value, path, text) : []
  })
}

/**
 * The single values of a YAML file in their order, each by the names on the way to it. Lists, blocks of text and references have
 * none. Undefined for a text that is no YAML, or is no table of names.
 */
export function readYaml(text: string): readonly YamlEntry[] | undefined {
  const { errors, contents } = parsed(text)
  if (errors.length > 0) return undefined
  if (contents === null) return []
  return isMap(contents) ? entriesBelow(contents, '', text) : undefined
}

/** Where a text stops being YAML, as a line from 1; undefined for YAML. */
export const wrongYamlLine = (text: string): number | undefined => {
  const [first] = parsed(text).errors
  return first && (first.linePos?.[0].line ?? 1)
}

const quoted = (value: string, type: Scalar.QUOTE_DOUBLE | Scalar.QUOTE_SINGLE): string =>
  stringify(value, {
    ...YAML_1_1,
    defaultStringType: type,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Infinity,
  }).trimEnd()

const sayingsOf = (entries: readonly YamlEntry[] | undefined): string =>
  JSON.stringify(entries?.map(({ key, value, isText }) => [key, value, isText]))

/** A value and the kind of its key, where the key is described. */
export type Wanted = { readonly value: string; readonly kind?: PropertyKind | undefined }

/** Whether a new value has to be a text: the present one is, and is no leftover of a number that somebody types. */
const staysText = ({ value, isText }: YamlEntry, kind: PropertyKind | undefined): boolean => {
  if (kind?.is === 'number' || kind?.is === 'switch') return isText && refusedValue(kind, value) === undefined
  return isText || (value === '' && (kind?.is === 'text' || kind?.is === 'secret'))
}

/** The ways to write a value, the best one first: as it is, or in quotes, and those that it has there. */
const spellingsOf = (value: string, own: string | undefined, isText: boolean): string[] => {
  const isQuoted = own === '"' || own === "'"
  // Without quotes nothing is no empty text, but no value at all: the program takes its preset.
  const mayBePlain = value !== SIGN_OF_JAVA && !(isText && (isQuoted || value === ''))
  return [
    ...(mayBePlain ? [value] : []),
    quoted(value, own === '"' ? Scalar.QUOTE_DOUBLE : Scalar.QUOTE_SINGLE),
    quoted(value, Scalar.QUOTE_DOUBLE),
  ].filter((spelling) => !spelling.includes('\n'))
}

/**
 * Puts a value in the place of an entry's present one, in the quotes that it has there. A change is good only if the file is read as
 * before except for this value, and a text stays a text. Undefined where no spelling on this line says it.
 */
export function yamlChange(
  text: string,
  { from, to, isParted }: PropertyEntry,
  wanted: Wanted,
): TextChange | undefined {
  const before = readYaml(text)
  const index = before?.findIndex((each) => each.from === from) ?? -1
  const present = before?.[index]
  if (before === undefined || present === undefined) return undefined
  const { value, kind } = wanted
  const isText = staysText(present, kind)
  const comment = from === to && text[to] === '#' ? ' ' : ''
  const changes = spellingsOf(value, text[from], isText).map((spelling) => ({
    from,
    to,
    insert: `${isParted ? '' : ' '}${spelling}${spelling === '' ? '' : comment}`,
  }))
  return changes.find((change) => {
    const after = readYaml(withChange(text, change))
    const written = after?.[index]
    if (written === undefined || (isText && !written.isText)) return false
    return sayingsOf(after) === sayingsOf(before.with(index, { ...present, value, isText: written.isText }))
  })
}

/** The form of a YAML file with these fields. The program writes its keys itself, so none are added. */
export const yamlForm = (fields: readonly ConfigField[]): ConfigForm => {
  const fieldOf = fieldFinder(fields)
  return {
    format: 'yaml',
    fields,
    fieldOf,
    read: readYaml,
    change: (text, entry, value) => yamlChange(text, entry, { value, kind: fieldOf(entry.key)?.kind }),
    add: null,
  }
}
