import fs from 'node:fs'
import type { ConsoleLine } from './console-line.ts'
import { offsetOf, readBackward, readForward, type OpenSegment, type PageLimit } from './segment-search.ts'
import { decodeBlock, listSegments, segmentFile } from './segments.ts'

const NEWLINE = 10
const CHUNK_BYTES = 256 * 1024
const PAGE_BYTES = 256 * 1024
/** The cost of a line beside its text. */
const LINE_BYTES = 64

export interface ConsolePage {
  /** Lines after the requested position that no longer exist. */
  readonly dropped: number
  readonly lines: readonly ConsoleLine[]
}

/** The viewers' source, and all that the fan-out knows about the console. */
export interface ConsoleSource {
  /** Number of the newest complete line, 0 when there is none. */
  readonly lastSeq: number
  after(seq: number, max: number): ConsolePage
}

/** Lines before a number, ascending. `lost` counts earlier lines that no longer exist. */
export interface OlderPage {
  readonly lines: readonly ConsoleLine[]
  readonly isStart: boolean
  readonly lost: number
}

/** One buffer serves all readers: a read ends before the next one begins. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)

/**
 * Reads the history that another process writes. The newest lines are held in memory, older ones are found in the file
 * by a few small reads, so a reader far behind costs the others nothing. It never trusts a record without its newline:
 * a read during a write sees the line in the next read, once.
 */
export class HistoryReader implements ConsoleSource {
  readonly #dir: string
  readonly #ringBytes: number
  #segment = 0
  #offset = 0
  #ring: ConsoleLine[] = []
  #ringSize = 0
  #firstSeq = 1
  lastSeq = 0

  constructor(dir: string, ringBytes = 256 * 1024) {
    this.#dir = dir
    this.#ringBytes = ringBytes
    const newest = listSegments(dir).at(-1)
    if (newest !== undefined) {
      this.#segment = newest
      this.#offset = this.#nearEnd(newest)
      this.refresh()
    }
    if (this.lastSeq > 0 || newest === undefined) return
    // No complete record near the end: the numbers are read from the beginning of the segment.
    this.#offset = 0
    this.refresh()
    if (this.lastSeq === 0) this.lastSeq = newest - 1
  }

  get firstSeq(): number {
    return this.#firstSeq
  }

  /** Reads newly written lines. Returns true when there are any. */
  refresh(): boolean {
    const before = this.lastSeq
    const segments = listSegments(this.#dir)
    if (segments.length === 0) return false
    this.#firstSeq = segments[0] ?? 1
    for (const first of segments) {
      if (first < this.#segment) continue
      if (first > this.#segment) {
        this.#segment = first
        this.#offset = 0
      }
      this.#readRest()
    }
    return this.lastSeq > before
  }

  after(seq: number, max: number): ConsolePage {
    if (seq >= this.lastSeq) return { dropped: 0, lines: [] }
    const ringFirst = this.#ring[0]?.seq
    if (ringFirst !== undefined && seq + 1 >= ringFirst) return pageOf(seq, this.#fromRing(seq, max))
    const segments = listSegments(this.#dir)
    const holding = segments.findLast((first) => first <= seq + 1) ?? segments[0]
    const limit = { maxLines: max, maxBytes: PAGE_BYTES }
    for (const first of segments) {
      if (holding === undefined || first < holding) continue
      const lines = this.#look(first, (segment) => readForward(segment, offsetOf(segment, seq + 1), limit))
      if (lines.length > 0) return pageOf(seq, lines)
    }
    return { dropped: this.lastSeq - seq, lines: [] }
  }

  before(asked: number, limit: PageLimit): OlderPage {
    // Lines in the file that have not been read yet would fill the page and then be omitted.
    const seq = Math.min(asked, this.lastSeq + 1)
    const segments = listSegments(this.#dir)
    let lines: ConsoleLine[] = []
    let maxBytes = limit.maxBytes
    for (const first of segments.filter((candidate) => candidate < seq).reverse()) {
      const maxLines = limit.maxLines - lines.length
      if (maxLines <= 0 || maxBytes <= 0) break
      const end = lines[0]?.seq ?? seq
      const page = { maxLines, maxBytes }
      const older = this.#look(first, (segment) => readBackward(segment, offsetOf(segment, end), page))
      maxBytes -= older.reduce((sum, line) => sum + Buffer.byteLength(line.text) + LINE_BYTES, 0)
      lines = [...older, ...lines]
      // The page was full before the segment's first line: the rest of the segment comes next.
      if (older.length > 0 && (older[0]?.seq ?? first) > first) break
    }
    const first = lines[0]?.seq
    const isStart = first === undefined || first <= (segments[0] ?? 1)
    return { lines, isStart, lost: isStart ? (first ?? seq) - 1 : 0 }
  }

  #fromRing(seq: number, max: number): ConsoleLine[] {
    let low = 0
    let high = this.#ring.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ring[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    let end = low
    for (let bytes = 0; end < Math.min(this.#ring.length, low + max) && bytes < PAGE_BYTES; end += 1) {
      bytes += (this.#ring[end]?.text.length ?? 0) + LINE_BYTES
    }
    return this.#ring.slice(low, end)
  }

  /** Lines of one segment already read; a removed segment has none. */
  #look(first: number, read: (segment: OpenSegment) => ConsoleLine[]): ConsoleLine[] {
    return withFile(segmentFile(this.#dir, first), (file) => {
      const lines = read({ file, size: fs.fstatSync(file).size })
      return lines.filter((line) => line.seq <= this.lastSeq)
    })
  }

  #nearEnd(first: number): number {
    let offset = 0
    this.#look(first, ({ file, size }) => {
      const from = Math.max(0, size - this.#ringBytes)
      const read = fs.readSync(file, chunk, 0, CHUNK_BYTES, from)
      offset = from === 0 ? 0 : from + chunk.subarray(0, read).indexOf(NEWLINE) + 1
      return []
    })
    return offset
  }

  #readRest(): void {
    withFile(segmentFile(this.#dir, this.#segment), (file) => {
      for (;;) {
        const read = fs.readSync(file, chunk, 0, CHUNK_BYTES, this.#offset)
        const end = chunk.subarray(0, read).lastIndexOf(NEWLINE) + 1
        if (end === 0) return []
        this.#take(decodeBlock(chunk.subarray(0, end)))
        this.#offset += end
      }
    })
  }

  #take(lines: readonly ConsoleLine[]): void {
    for (const line of lines) {
      if (line.seq <= this.lastSeq) continue
      this.lastSeq = line.seq
      this.#ring.push(line)
      this.#ringSize += line.text.length + LINE_BYTES
    }
    if (this.#ringSize <= this.#ringBytes * 2) return
    let keepFrom = 0
    while (this.#ringSize > this.#ringBytes && keepFrom < this.#ring.length) {
      this.#ringSize -= (this.#ring[keepFrom]?.text.length ?? 0) + LINE_BYTES
      keepFrom++
    }
    this.#ring = this.#ring.slice(keepFrom)
  }
}

const pageOf = (seq: number, lines: readonly ConsoleLine[]): ConsolePage => {
  const first = lines[0]
  return { dropped: first === undefined ? 0 : first.seq - seq - 1, lines }
}

const withFile = (name: string, read: (file: number) => ConsoleLine[]): ConsoleLine[] => {
  let file: number
  try {
    file = fs.openSync(name, 'r')
  } catch {
    return []
  }
  try {
    return read(file)
  } finally {
    fs.closeSync(file)
  }
}
