/** One key of a properties file with its value, and where the value stands in the text. */
export interface PropertyEntry {
  readonly key: string
  readonly value: string
  /** Offset where the value begins, or would begin, before a line break that is continued. */
  readonly from: number
  /** Offset after the value's last character, before its line break. */
  readonly to: number
  /** Whether anything parts the key from its value: a value behind a bare key needs a sign in between. */
  readonly isParted: boolean
}

/** A change of a text: `insert` replaces the characters from `from` to `to`. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** One logical line without its continuations, and each character's offset in the text. */
interface LogicalLine {
  readonly chars: readonly string[]
  readonly at: readonly number[]
  /** Offset of its first character, or where that would be. */
  readonly begin: number
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\f'
const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r'
const isSign = (char: string | undefined): boolean => char === '=' || char === ':'

/** Offset of the next line break at or after `offset`, or the text's end. */
const lineEnd = (text: string, offset: number): number => {
  let end = offset
  while (end < text.length && !isBreak(text[end])) end += 1
  return end
}

const afterBlanks = (text: string, offset: number): number => {
  let after = offset
  while (isBlank(text[after])) after += 1
  return after
}

/** Offset of the next line's beginning: a line feed after a carriage return belongs to it. */
const afterBreak = (text: string, end: number): number =>
  text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1

/** Whether the line ends in a backslash that is not escaped itself, and so goes on in the next one. */
const continues = (text: string, begin: number, end: number): boolean => {
  let backslashes = 0
  while (end - backslashes > begin && text[end - backslashes - 1] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** The logical lines of a text as java.util.Properties.LineReader reads them: no comments, no blank lines. */
function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = []
  let [chars, at]: [string[], number[]] = [[], []]
  let offset = 0
  while (offset < text.length) {
    const begin = afterBlanks(text, offset)
    const end = lineEnd(text, begin)
    offset = afterBreak(text, end)
    // A line that so far is nothing but a continuation is still at its beginning: it can turn out a comment.
    if (chars.length === 0 && (text[begin] === '#' || text[begin] === '!')) continue
    const isContinued = continues(text, begin, end)
    for (let index = begin; index < (isContinued ? end - 1 : end); index += 1) {
      chars.push(text[index] ?? '')
      at.push(index)
    }
    // Java takes a backslash in front of the file's last character for the end of a line, even of an empty one.
    const isLast = end + 1 >= text.length
    if (isContinued && !isLast) continue
    if (chars.length > 0 || isContinued) lines.push({ chars, at, begin })
    ;[chars, at] = [[], []]
  }
  if (chars.length > 0) lines.push({ chars, at, begin: offset })
  return lines
}

const ESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }
const HEX = /^[0-9a-fA-F]{4}$/

/** Resolves the escapes; undefined for a `\u` without four hexadecimal digits, which Java refuses with the whole file. */
function unescaped(chars: readonly string[]): string | undefined {
  let plain = ''
  for (let index = 0; index < chars.length; index += 1) {
    const char = chars[index] ?? ''
    if (char !== '\\') {
      plain += char
      continue
    }
    index += 1
    const next = chars[index] ?? ''
    if (next === 'u') {
      const digits = chars.slice(index + 1, index + 5).join('')
      if (!HEX.test(digits)) return undefined
      plain += String.fromCharCode(Number.parseInt(digits, 16))
      index += 4
    } else plain += ESCAPED[next] ?? next
  }
  return plain
}

/** Index of the first sign or blank that is not escaped, or the line's length. */
function keyLength(chars: readonly string[]): number {
  let isEscaped = false
  for (const [index, char] of chars.entries()) {
    if (!isEscaped && (isSign(char) || isBlank(char))) return index
    isEscaped = char === '\\' && !isEscaped
  }
  return chars.length
}

/** Index of the value's first character: after blanks and at most one sign. */
function valueIndex(chars: readonly string[], keyEnd: number): number {
  let index = keyEnd
  let isSignSeen = false
  while (index < chars.length) {
    const char = chars[index]
    if (isSign(char) && !isSignSeen) isSignSeen = true
    else if (!isBlank(char)) break
    index += 1
  }
  return index
}

function entryOf({ chars, at, begin }: LogicalLine): PropertyEntry | undefined {
  const keyEnd = keyLength(chars)
  const valueBegin = valueIndex(chars, keyEnd)
  const key = unescaped(chars.slice(0, keyEnd))
  const value = unescaped(chars.slice(valueBegin))
  if (key === undefined || value === undefined) return undefined
  const after = (index: number): number => (index === 0 ? begin : (at[index - 1] ?? 0) + 1)
  return { key, value, from: after(valueBegin), to: after(chars.length), isParted: keyEnd < chars.length }
}

/**
 * The entries of a properties file in their order, as java.util.Properties.load reads them from a reader: a later entry
 * of a key hides an earlier one. Undefined for a file that Java refuses, because an escape in it is malformed.
 */
export function readProperties(text: string): readonly PropertyEntry[] | undefined {
  const entries: PropertyEntry[] = []
  for (const line of logicalLines(text)) {
    const entry = entryOf(line)
    if (entry === undefined) return undefined
    entries.push(entry)
  }
  return entries
}

/** The value of each key, as the program sees it: of several entries of a key the last one. Empty for a file that Java refuses. */
export const propertyValues = (text: string): ReadonlyMap<string, string> =>
  new Map(readProperties(text)?.map(({ key, value }) => [key, value]))

const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\f': '\\f',
  '\\': '\\\\',
  '=': '\\=',
  ':': '\\:',
  '#': '\\#',
  '!': '\\!',
}

const escapedUnit = (unit: string): string =>
  unit >= ' ' && unit <= '~' ? unit : `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Escapes every unit of the text; blanks too in a key, and in a value at its beginning. */
function escaped(text: string, blanks: 'all' | 'first'): string {
  let written = ''
  for (let index = 0; index < text.length; index += 1) {
    const unit = text[index] ?? ''
    const isEscapedBlank = unit === ' ' && (blanks === 'all' || index === 0)
    written += isEscapedBlank ? '\\ ' : (ESCAPES[unit] ?? escapedUnit(unit))
  }
  return written
}

/**
 * A value as java.util.Properties.store writes it: what is not ASCII as `\uXXXX`, so that a server reads it alike
 * whichever encoding its version expects.
 */
export const escapedValue = (value: string): string => escaped(value, 'first')

/** Puts a value in the place of an entry's present one. Everything else of the text stays as it is. */
export const valueChange = ({ from, to, isParted }: PropertyEntry, value: string): TextChange => ({
  from,
  to,
  insert: `${isParted ? '' : '='}${escapedValue(value)}`,
})

/** The text after a change. */
export const withChange = (text: string, { from, to, insert }: TextChange): string =>
  text.slice(0, from) + insert + text.slice(to)

/** Key and value of each entry. A backslash at a file's end makes an entry without a key, which may go. */
const sayings = (entries: readonly PropertyEntry[]): string[] =>
  entries.filter(({ key }) => key !== '').map(({ key, value }) => JSON.stringify([key, value]))

/**
 * Adds a key at the text's end, on a line of its own. The text before it may end in the middle of a line, or with a
 * backslash that would continue onto the new one. Undefined for a file that cannot be read.
 */
export function additionOf(text: string, key: string, value: string): TextChange | undefined {
  const before = readProperties(text)
  if (before === undefined) return undefined
  const line = `${escaped(key, 'all')}=${escapedValue(value)}\n`
  const wanted = [...sayings(before), JSON.stringify([key, value])].join('\n')
  const changes = ['', '\n', '\n\n'].map((gap) => ({ from: text.length, to: text.length, insert: gap + line }))
  return changes.find((change) => sayings(readProperties(withChange(text, change)) ?? []).join('\n') === wanted)
}
