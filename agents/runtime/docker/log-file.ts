import fs from 'node:fs'
import type { NewLine } from '../../console/history.ts'
import { CUT_MARK } from '#contracts/agent/console-cut.ts'
import { LOG_FILES } from './container-options.ts'

const NEWLINE = 10
const CHUNK_BYTES = 256 * 1024
/** The engine splits output after 16 KiB. */
const CUT_BYTES = 16 * 1024
/** Escaped in JSON it can grow six times. */
const LONGEST_ENTRY_BYTES = 128 * 1024
/** The piece before is not known, so that the line of the stream may go on. */
const UNKNOWN: ReadonlySet<string> = new Set(['i', 'e', 'o'])
/** The maximum number of rotated files that are held open, which bounds the disk space of a flood. */
const MOST_HELD = 4

export interface LogSink {
  /** Stores the lines or throws; after an exception the same lines are passed again. */
  lines(lines: readonly NewLine[]): void
  /** Lines that were rotated away unread; null when the number is unknown. */
  dropped(count: number | null): void
}

interface OpenLog {
  readonly file: number
  readonly inode: number
  /** Bytes whose lines the sink has stored. */
  offset: number
  /** Time of the first entry in base 36, which identifies the file across renames; empty until there is one. */
  id: string
}

const openLog = (path: string): OpenLog | undefined => {
  try {
    const file = fs.openSync(path, 'r')
    return { file, inode: fs.fstatSync(file).ino, offset: 0, id: firstTimeOf(file) }
  } catch {
    return undefined
  }
}

const nanoseconds = (time: string): bigint => {
  const seconds = BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1_000_000n
  // The engine drops trailing zeros of the fraction.
  return seconds + BigInt(time.slice(20, -1).padEnd(9, '0').slice(0, 9) || '0')
}

const firstTimeOf = (file: number): string => {
  const head = Buffer.alloc(LONGEST_ENTRY_BYTES)
  const read = fs.readSync(file, head, 0, head.length, 0)
  const end = head.subarray(0, read).indexOf(NEWLINE)
  const entry = end < 0 ? undefined : parseEntry(head.toString('utf8', 0, end))
  return entry === undefined ? '' : nanoseconds(entry.time).toString(36)
}

interface Entry {
  readonly log: string
  readonly stream: string
  readonly time: string
}

const parseEntry = (row: string): Entry | undefined => {
  try {
    const entry = JSON.parse(row) as Partial<Entry>
    if (typeof entry.log !== 'string' || typeof entry.time !== 'string') return undefined
    return { log: entry.log, stream: entry.stream ?? 'stdout', time: entry.time }
  } catch {
    return undefined
  }
}

/** Tabs separate the fields of a history record, and a line is one line. */
const cleanLine = (text: string): string =>
  text
    .replace(/\r?\n$/, '')
    .replaceAll('\t', '    ')
    .replaceAll('\n', ' ')
    .replaceAll('\0', '')

/** Makes the engine's pieces of output into lines, with a mark at both sides of each of the engine's cuts. */
export class PieceMarks {
  readonly #goesOn: Set<string>

  constructor(goesOn: ReadonlySet<string> = new Set()) {
    this.#goesOn = new Set(goesOn)
  }

  /** The same place in the output, for pieces that are read again if their lines cannot be stored. */
  copy(): PieceMarks {
    return new PieceMarks(this.#goesOn)
  }

  /** The next piece of a stream as a line. */
  lineOf(piece: string, stream: string): string {
    const isCut = !piece.endsWith('\n') && Buffer.byteLength(piece) >= CUT_BYTES
    const before = this.#goesOn.delete(stream) ? CUT_MARK : ''
    if (isCut) this.#goesOn.add(stream)
    return before + cleanLine(piece) + (isCut ? CUT_MARK : '')
  }
}

/**
 * Reads the file into which the engine's `json-file` driver writes a container's output: one JSON object per line. A
 * rotated file is held open and read to its end. Every line carries its position, so that reading resumes where the
 * history ends, and no line is read twice.
 */
export class JsonLogFile {
  readonly #path: string
  readonly #sink: LogSink
  readonly #isInstaller: boolean
  #marks = new PieceMarks()
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #logs: OpenLog[] = []
  /** Neighbouring lines share their second, and parsing a date is the costly part of a line. */
  #second = ''
  #secondMs = 0

  /**
   * `position` is that of the last line of this container in the history; undefined starts with the first line. Throws
   * when the file cannot be opened.
   */
  constructor(path: string, options: { position: string | undefined; isInstaller: boolean }, sink: LogSink) {
    this.#path = path
    this.#sink = sink
    this.#isInstaller = options.isInstaller
    // Throws here, so that the caller can use the engine's stream instead.
    fs.accessSync(path, fs.constants.R_OK)
    this.#discover()
    this.#goTo(options.position)
  }

  /**
   * Reads up to about `budgetBytes`. Returns true when there is more to read now. Throws the sink's error; nothing is
   * lost by that.
   */
  pump(budgetBytes: number): boolean {
    let left = budgetBytes
    this.#discover()
    for (let log = this.#logs[0]; log !== undefined; log = this.#logs[0]) {
      for (let read = this.#readOnce(log); read > 0; read = this.#readOnce(log)) {
        left -= read
        if (left <= 0) return true
      }
      if (this.#logs.length < 2) {
        this.#discover()
        if (this.#logs.length < 2) return false
        // Lines may have been written after the last read and before the rotation: read this file once more.
        continue
      }
      this.#letGo()
    }
    return false
  }

  close(): void {
    for (const log of this.#logs) fs.closeSync(log.file)
    this.#logs = []
  }

  #letGo(): void {
    const gone = this.#logs.shift()
    if (gone !== undefined) fs.closeSync(gone.file)
  }

  /** Opens the new files, oldest first. */
  #discover(): void {
    let newest: number
    try {
      newest = fs.statSync(this.#path).ino
    } catch {
      // Between the engine's rename and its next file.
      return
    }
    if (this.#logs.at(-1)?.inode === newest) return
    const names = Array.from({ length: LOG_FILES }, (_, index) => (index === 0 ? this.#path : `${this.#path}.${index}`))
    const found = names.toReversed().flatMap((name) => openLog(name) ?? [])
    // Files older than the last one held are already known.
    const lastHeld = found.findIndex((log) => log.inode === this.#logs.at(-1)?.inode)
    for (const [index, log] of found.entries()) {
      if (index <= lastHeld) fs.closeSync(log.file)
      else this.#logs.push(log)
    }
    while (this.#logs.length > MOST_HELD) this.#skip()
  }

  /** Gives up the oldest file and reports how many lines that costs. */
  #skip(): void {
    const log = this.#logs[0]
    if (log === undefined) return
    let count = 0
    for (let at = log.offset, read = 1; read > 0; at += read) {
      read = fs.readSync(log.file, this.#chunk, 0, this.#chunk.length, at)
      for (let index = 0; index < read; index += 1) if (this.#chunk[index] === NEWLINE) count += 1
    }
    this.#marks = this.#marksAt(log, fs.fstatSync(log.file).size)
    this.#letGo()
    if (count > 0) this.#sink.dropped(count)
  }

  #goTo(position: string | undefined): void {
    const [id = '', offset = '0'] = position?.split('.') ?? []
    if (position === undefined) return
    const at = this.#logs.findIndex((log) => log.id === id)
    const log = this.#logs[at]
    if (log === undefined) {
      this.#marks = new PieceMarks(UNKNOWN)
      this.#sink.dropped(null)
      return
    }
    for (let older = 0; older < at; older += 1) this.#letGo()
    log.offset = Number(offset)
    this.#marks = this.#marksAt(log, log.offset)
  }

  /** Which lines go on at a place of a file, by the entries before it that are not read again. */
  #marksAt(log: OpenLog, end: number): PieceMarks {
    const from = Math.max(0, end - this.#chunk.length)
    const read = fs.readSync(log.file, this.#chunk, 0, end - from, from)
    const rows = this.#chunk.toString('utf8', 0, read).split('\n')
    // A stream with no piece among them has been silent for long.
    const marks = new PieceMarks()
    for (const row of rows) {
      const entry = parseEntry(row)
      if (entry !== undefined) marks.lineOf(entry.log, this.#streamOf(entry))
    }
    return marks
  }

  /** Returns how many bytes were read and passed to the sink; 0 at the end of complete entries. */
  #readOnce(log: OpenLog): number {
    const read = fs.readSync(log.file, this.#chunk, 0, this.#chunk.length, log.offset)
    const end = this.#chunk.subarray(0, read).lastIndexOf(NEWLINE) + 1
    if (end === 0) return 0
    if (log.id === '') log.id = firstTimeOf(log.file)
    const lines: NewLine[] = []
    const marks = this.#marks.copy()
    for (let from = 0; from < end;) {
      const to = this.#chunk.indexOf(NEWLINE, from)
      const entry = parseEntry(this.#chunk.toString('utf8', from, to))
      from = to + 1
      if (entry !== undefined) lines.push(this.#lineOf(entry, { at: `${log.id}.${log.offset + from}`, marks }))
    }
    if (lines.length > 0) this.#sink.lines(lines)
    log.offset += end
    this.#marks = marks
    return end
  }

  #streamOf({ stream }: Entry): 'i' | 'e' | 'o' {
    if (this.#isInstaller) return 'i'
    return stream === 'stderr' ? 'e' : 'o'
  }

  #lineOf(entry: Entry, { at, marks }: { at: string; marks: PieceMarks }): NewLine {
    const second = entry.time.slice(0, 19)
    if (second !== this.#second) {
      this.#second = second
      this.#secondMs = Date.parse(`${second}Z`)
    }
    const milliseconds = Number(entry.time.slice(20, -1).padEnd(3, '0').slice(0, 3)) || 0
    const stream = this.#streamOf(entry)
    return { timeMs: this.#secondMs + milliseconds, stream, text: marks.lineOf(entry.log, stream), at }
  }
}
