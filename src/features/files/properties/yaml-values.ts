import { isMap, isScalar, parse, parseDocument, Scalar, stringify } from 'yaml'
import type { Document } from 'yaml'
import { fieldFinder } from '#domain/config-files/config-form.ts'
import type { ConfigField, ConfigForm } from '#domain/config-files/config-form.ts'
import type { PropertyEntry, TextChange } from '#domain/config-files/java-properties.ts'

/** Programs on the Java side read YAML 1.1, where `yes` and `on` are true. */
const YAML_1_1 = { version: '1.1', merge: false } as const
const parsed = (text: string): Document.Parsed => parseDocument(text, YAML_1_1)

/** Values on one line: those of a block go over several, and stay in the text. */
const ON_ONE_LINE: readonly (Scalar.Type | undefined)[] = [Scalar.PLAIN, Scalar.QUOTE_SINGLE, Scalar.QUOTE_DOUBLE]

/** The value that the program reads, as a text: a number in its own spelling, nothing as an empty text. */
const valueOf = ({ value, source }: Scalar): string => {
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'bigint' ? (source ?? String(value)) : String(value)
}

const entryOf = (key: string, scalar: Scalar, text: string): PropertyEntry[] => {
  const [from, to] = scalar.range ?? [0, 0]
  const isOnOneLine = ON_ONE_LINE.includes(scalar.type) && !text.slice(from, to).includes('\n')
  if (!isOnOneLine || scalar.anchor !== undefined || scalar.tag !== undefined) return []
  return [{ key, value: valueOf(scalar), from, to, isParted: text[from - 1] !== ':' }]
}

/** The single values below a node, by the names on the way to them. Names with dots would be two ways to one place. */
const entriesBelow = (node: unknown, above: string, text: string): PropertyEntry[] => {
  if (!isMap(node)) return []
  return node.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || typeof key.value !== 'string' || key.value === '' || key.value.includes('.')) return []
    const path = above === '' ? key.value : `${above}.${key.value}`
    return isScalar(value) ? entryOf(path, value, text) : entriesBelow(value, path, text)
  })
}

/**
 * The single values of a YAML file in their order, each by the names on the way to it. Lists, blocks of text and references have
 * none. Undefined for a text that is no YAML, or is no table of names.
 */
export function readYaml(text: string): readonly PropertyEntry[] | undefined {
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

const applied = (text: string, { from, to, insert }: TextChange): string =>
  text.slice(0, from) + insert + text.slice(to)

const quoted = (value: string, type: Scalar.QUOTE_DOUBLE | Scalar.QUOTE_SINGLE): string =>
  stringify(value, {
    version: '1.1',
    defaultStringType: type,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Infinity,
  }).trimEnd()

const sayings = (entries: readonly PropertyEntry[] | undefined): string =>
  JSON.stringify(entries?.map(({ key, value }) => [key, value]))

/**
 * Puts a value in the place of an entry's present one, in the quotes that it has there. A change is good only if the file is read as
 * before except for this value. Undefined where no spelling on this line says it.
 */
export function yamlChange(text: string, entry: PropertyEntry, value: string): TextChange | undefined {
  const before = readYaml(text)
  if (before === undefined) return undefined
  const wanted = sayings(before.map((each) => (each.from === entry.from ? { ...each, value } : each)))
  const own = text[entry.from]
  const isQuoted = own === '"' || own === "'"
  // Without quotes nothing is no empty text, but no value at all: the program takes its preset.
  const wasText = value === '' && typeof parse(text.slice(entry.from, entry.to), YAML_1_1) === 'string'
  const spellings = [
    ...(isQuoted || wasText ? [] : [value]),
    quoted(value, own === '"' ? Scalar.QUOTE_DOUBLE : Scalar.QUOTE_SINGLE),
    quoted(value, Scalar.QUOTE_DOUBLE),
  ]
  const changes = spellings
    .filter((spelling) => !spelling.includes('\n'))
    .map((spelling) => ({ from: entry.from, to: entry.to, insert: `${entry.isParted ? '' : ' '}${spelling}` }))
  return changes.find((change) => sayings(readYaml(applied(text, change))) === wanted)
}

/** The form of a YAML file with these fields. The program writes its keys itself, so none are added. */
export const yamlForm = (fields: readonly ConfigField[]): ConfigForm => ({
  format: 'yaml',
  fields,
  fieldOf: fieldFinder(fields),
  read: readYaml,
  change: yamlChange,
  add: null,
})
