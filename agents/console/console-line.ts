import type { ConsoleNote } from '#contracts/panel/console-notes.ts'

/** `o` and `e` come from the server, `i` from its installation program, `x` is a note of Bakter's own. */
export const CONSOLE_STREAMS = ['o', 'e', 'i', 'x'] as const
export type ConsoleStream = (typeof CONSOLE_STREAMS)[number]

export interface ConsoleLine {
  /** Counts from 1 for the whole life of a server; never reused. */
  readonly seq: number
  readonly timeMs: number
  readonly stream: ConsoleStream
  readonly text: string
  /** What a note says, for a reader of another language. */
  readonly note?: ConsoleNote
}

/**
 * Text that stays one row and one line, wherever it is shown: without tabs, which separate the fields of a record, without
 * what ends a line, and without the other control characters. Half a character becomes a whole one.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll('\t', '    ')
    .replaceAll(/[\r\n\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .toWellFormed()

const isStream = (text: string): text is ConsoleStream => (CONSOLE_STREAMS as readonly string[]).includes(text)

/**
 * One record is one line of text, so a torn write loses the whole record or nothing of it. `at` is where the line stood in
 * the source that it was copied from: kept in the same record, it makes every line of that source arrive once.
 */
export const encodeLine = (line: ConsoleLine & { readonly at?: string | undefined }): string => {
  const head = `${line.seq}\t${line.timeMs}\t${line.stream}${line.at === undefined ? '' : `:${line.at}`}`
  // What a server prints was cut into lines and cleaned when it was read; a note may hold what somebody else has said.
  if (line.stream !== 'x') return `${head}\t${line.text}\n`
  return `${head}\t${oneLine(line.text)}${line.note === undefined ? '' : `\t${JSON.stringify(line.note)}`}\n`
}

const isParam = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** By hand: the shim, which writes and reads these records, brings no package with it. */
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

/** Returns undefined for a row that is no record, so damage costs one line and never the history. */
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

/** Where the record's line stood in its source, or undefined for a line that was not copied. */
export const positionOf = (row: string): string | undefined => /^\d+\t[^\t]*\t[oeix]:([^\t]*)\t/.exec(row)?.[1]
