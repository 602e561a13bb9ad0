/** `o` and `e` come from the server, `i` from its installation program, `x` is a note of Bakter's own. */
export const CONSOLE_STREAMS = ['o', 'e', 'i', 'x'] as const
export type ConsoleStream = (typeof CONSOLE_STREAMS)[number]

export interface ConsoleLine {
  /** Counts from 1 for the whole life of a server; never reused. */
  readonly seq: number
  readonly timeMs: number
  readonly stream: ConsoleStream
  readonly text: string
}

const isStream = (text: string): text is ConsoleStream => (CONSOLE_STREAMS as readonly string[]).includes(text)

/**
 * One record is one line of text, so a torn write loses the whole record or nothing of it. `at` is where the line stood in
 * the source that it was copied from: kept in the same record, it makes every line of that source arrive once.
 */
export const encodeLine = (line: ConsoleLine & { readonly at?: string | undefined }): string =>
  `${line.seq}\t${line.timeMs}\t${line.stream}${line.at === undefined ? '' : `:${line.at}`}\t${line.text}\n`

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
  return { seq, timeMs, stream, text: row.slice(third + 1) }
}

/** Where the record's line stood in its source, or undefined for a line that was not copied. */
export const positionOf = (row: string): string | undefined => /^\d+\t[^\t]*\t[oeix]:([^\t]*)\t/.exec(row)?.[1]
