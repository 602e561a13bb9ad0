import fs from 'node:fs'
import type { ConsoleNote } from '#contracts/console-notes.ts'
import { decodeLine, encodeLine, positionOf, type ConsoleLine, type ConsoleStream } from './console-line.ts'
import { decodeBlock, listSegments, segmentFile } from './segments.ts'

const NEWLINE = 10

export interface HistoryLimits {
  readonly segmentBytes: number
  readonly keepSegments: number
}

export const DEFAULT_HISTORY: HistoryLimits = { segmentBytes: 2 * 1024 * 1024, keepSegments: 8 }

export interface NewLine {
  readonly timeMs: number
  readonly stream: ConsoleStream
  readonly text: string
  readonly note?: ConsoleNote
  /** The line's position in its source, for a writer that resumes after a restart. No tabs. */
  readonly at?: string
}

/**
 * Append-only console history of one server, in numbered segments. There is one writer at a time: the shim of the
 * running task, or the agent if an engine holds the output. A torn last record is cut off when the history is opened;
 * its number is reused, because nobody has ever been shown an incomplete record.
 */
export class HistoryWriter {
  readonly #dir: string
  readonly #limits: HistoryLimits
  #segments: number[]
  #file = -1
  #size = 0
  #torn = false
  lastSeq = 0
  /** Source position of the newest line that has one, and that line's number. */
  lastPosition: { readonly at: string; readonly seq: number } | undefined

  constructor(dir: string, limits: HistoryLimits = DEFAULT_HISTORY) {
    this.#dir = dir
    this.#limits = limits
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
    this.#segments = listSegments(dir)
    const last = this.#segments.at(-1)
    if (last === undefined) {
      this.#open(1)
      return
    }
    this.#recover(last)
    this.#open(last)
  }

  get firstSeq(): number {
    return this.#segments[0] ?? 1
  }

  /** Numbers the lines and writes them; when it returns they are in the file. Throws the disk's error. */
  append(lines: readonly NewLine[]): ConsoleLine[] {
    if (this.#torn) this.#cutTorn()
    if (this.#torn) throw new Error('The end of the console history is damaged and cannot be cut off.')
    if (this.#size >= this.#limits.segmentBytes) this.#open(this.lastSeq + 1)
    const numbered = lines.map((line, index) => ({ ...line, seq: this.lastSeq + 1 + index }))
    const bytes = Buffer.from(numbered.map(encodeLine).join(''))
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#file, bytes, at)
    } catch (error) {
      this.#torn = true
      // At once, so that no reader sees rows whose numbers are reused.
      this.#cutTorn()
      throw error
    }
    this.#size += bytes.length
    this.lastSeq += lines.length
    const marked = numbered.findLast((line) => line.at !== undefined)
    if (marked?.at !== undefined) this.lastPosition = { at: marked.at, seq: marked.seq }
    return numbered
  }

  /** False when another process has written to the history since: this writer must be reopened. */
  isCurrent(): boolean {
    return listSegments(this.#dir).at(-1) === this.#segments.at(-1) && fs.fstatSync(this.#file).size === this.#size
  }

  close(): void {
    fs.closeSync(this.#file)
  }

  #open(first: number): void {
    const file = fs.openSync(segmentFile(this.#dir, first), 'a', 0o600)
    if (this.#file >= 0) fs.closeSync(this.#file)
    this.#file = file
    this.#size = fs.fstatSync(file).size
    if (this.#segments.at(-1) !== first) this.#segments.push(first)
    while (this.#segments.length > this.#limits.keepSegments) {
      const oldest = this.#segments.shift()
      if (oldest !== undefined) fs.rmSync(segmentFile(this.#dir, oldest), { force: true })
    }
  }

  #recover(last: number): void {
    const file = segmentFile(this.#dir, last)
    const bytes = fs.readFileSync(file)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end < bytes.length) fs.truncateSync(file, end)
    this.lastSeq = decodeBlock(bytes.subarray(0, end)).at(-1)?.seq ?? last - 1
    this.lastPosition = this.#findPosition(bytes.subarray(0, end))
  }

  #findPosition(newest: Buffer): HistoryWriter['lastPosition'] {
    for (const first of this.#segments.toReversed()) {
      const bytes = first === this.#segments.at(-1) ? newest : fs.readFileSync(segmentFile(this.#dir, first))
      const rows = bytes.toString('utf8').split('\n')
      for (let index = rows.length - 1; index >= 0; index -= 1) {
        const row = rows[index] ?? ''
        const at = positionOf(row)
        const seq = decodeLine(row)?.seq
        if (at !== undefined && seq !== undefined) return { at, seq }
      }
    }
    return undefined
  }

  /**
   * After a failed write (a full disk) a partial record may be at the end; readers stop before it, so it can be
   * removed.
   */
  #cutTorn(): void {
    try {
      fs.ftruncateSync(this.#file, this.#size)
      this.#torn = false
    } catch {
      // If even truncating fails, it is repeated before the next record.
    }
  }
}
