import type { ConsoleNote } from '#contracts/console-notes.ts'

/** `o` and `e` come from the server, `i` from its installation program, `x` is a note of Bakter's own. */
export const CONSOLE_STREAMS = ['o', 'e', 'i', 'x'] as const
export type ConsoleStream = (typeof CONSOLE_STREAMS)[number]

export interface ConsoleLine {
  /** Counts from 1 over the whole life of a server; never reused. */
  readonly seq: number
  readonly timeMs: number
  readonly stream: ConsoleStream
  readonly text: string
  /** The code and parameters of a note, for translation. */
  readonly note?: ConsoleNote
}

/**
 * Text for one row and one line: without tabs, which separate the fields of a record, without line ends, and without
 * other control characters. Half a character becomes a whole one.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll('\t', '    ')
    .replaceAll(/[\r\n\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .toWellFormed()

const isStream = (text: string): text is ConsoleStream => (CONSOLE_STREAMS as readonly string[]).includes(text)

/**
 * One record is one line of text, so a torn write loses the whole record or nothing. `at` is the line's position in the
 * source that it was copied from: stored in the same record, it makes every line arrive exactly once.
 */
export const encodeLine = (line: ConsoleLine & { readonly at?: string | undefined }): string => {
  const head = `${line.seq}\t${line.timeMs}\t${line.stream}${line.at === undefined ? '' : `:${line.at}`}`
  // A server's output was cut into lines and cleaned when it was read; a note may contain foreign text.
  if (line.stream !== 'x') return `${head}\t${line.text}\n`
  return `${head}\t${oneLine(line.text)}${line.note === undefined ? '' : `\t${JSON.stringify(line.note)}`}\n`
}

const isParam = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** Parsed by hand, because the shim, which writes and reads these records, bundles no packages. */
const isNote = (raw: unknown): raw is ConsoleNote => {
  if (typeof raw !== 'object' || raw === null || !('code' in raw) || !('params' in raw)) return false
  const { code, params } = raw
  return (
    typeof code === 'string' && typeof params === 'object' && params !== null && Object.values(params).every(isParam)
  )
}

/** The sentence of a note, and the code after it; an older agent wrote no code, and may have left a tab in the text. */
const decodeNote = (text: string): Pick<ConsoleLine, 'text' | 'note'> => {
  const tab = text.indexOf('\t')
  if (tab < 0) return { text }
  try {
    const note: unknown = JSON.parse(text.slice(tab + 1))
    return isNote(note) ? { text: text.slice(0, tab), note } : { text }
  } catch {
    return { text }
  }
}

/** Returns undefined for an invalid row, so that damage costs one line and never the history. */
export const decodeLine = (row: string): ConsoleLine | undefined => {
  const first = row.indexOf('\t')
  const second = row.indexOf('\t', first + 1)
  const third = row.indexOf('\t', second + 1)
  const isMarked = row[second + 2] === ':'
  if (first < 1 || second < 0 || (isMarked ? third < 0 : third !== second + 2)) return undefined
  const seq = Number(row.slice(0, first))
  const timeMs = Number(row.slice(first + 1, second))
  const stream = row.slice(second + 1, second + 2)
  if (!Number.isSafeInteger(seq) || seq < 1 || !Number.isFinite(timeMs) || !isStream(stream)) return undefined
  const text = row.slice(third + 1)
  return stream === 'x' ? { seq, timeMs, stream, ...decodeNote(text) } : { seq, timeMs, stream, text }
}

/** The record's position in its source, or undefined for a line that was not copied. */
export const positionOf = (row: string): string | undefined => /^\d+\t[^\t]*\t[oeix]:([^\t]*)\t/.exec(row)?.[1]
