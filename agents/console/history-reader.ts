import fs from 'node:fs'
import type { ConsoleLine } from './console-line.ts'
import { decodeBlock, listSegments, segmentFile } from './segments.ts'

const NEWLINE = 10
const CHUNK_BYTES = 512 * 1024

export interface ConsolePage {
  /** Lines between the asked position and the first one returned that no longer exist. */
  readonly dropped: number
  readonly lines: readonly ConsoleLine[]
}

/** Where viewers read from. The fan-out knows nothing else about the console. */
export interface ConsoleSource {
  /** Number of the newest complete line, 0 when there is none. */
  readonly lastSeq: number
  after(seq: number, max: number): ConsolePage
}

/**
 * Reads the history that another process writes. It never trusts a record without its newline, so a reader that looks
 * in the middle of a write sees the line in its next look, once.
 */
export class HistoryReader implements ConsoleSource {
  readonly #dir: string
  readonly #ringBytes: number
  #segment = 0
  #offset = 0
  #ring: ConsoleLine[] = []
  #ringSize = 0
  #firstSeq = 1
  #cached: { readonly first: number; readonly size: number; readonly lines: ConsoleLine[] } | undefined
  lastSeq = 0

  constructor(dir: string, ringBytes = 512 * 1024) {
    this.#dir = dir
    this.#ringBytes = ringBytes
    const newest = listSegments(dir).at(-1)
    if (newest !== undefined) this.#segment = newest
    this.refresh()
    if (this.lastSeq === 0 && newest !== undefined) this.lastSeq = newest - 1
  }

  /** Takes in what was written since the last look. Returns true when there are new lines. */
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
    if (ringFirst !== undefined && seq + 1 >= ringFirst) {
      const at = this.#indexAfter(this.#ring, seq)
      return this.#page(seq, this.#ring.slice(at, at + max))
    }
    const segments = listSegments(this.#dir)
    const holding = segments.findLast((first) => first <= seq + 1) ?? segments[0]
    if (holding === undefined) return { dropped: this.lastSeq - seq, lines: [] }
    for (const first of segments.filter((candidate) => candidate >= holding)) {
      const lines = this.#load(first)
      const at = this.#indexAfter(lines, seq)
      if (at < lines.length) return this.#page(seq, lines.slice(at, at + max))
    }
    return { dropped: this.lastSeq - seq, lines: [] }
  }

  get firstSeq(): number {
    return this.#firstSeq
  }

  #page(seq: number, lines: ConsoleLine[]): ConsolePage {
    const first = lines[0]
    return { dropped: first === undefined ? 0 : first.seq - seq - 1, lines }
  }

  #indexAfter(lines: readonly ConsoleLine[], seq: number): number {
    let low = 0
    let high = lines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lines[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }

  #load(first: number): ConsoleLine[] {
    let bytes: Buffer
    try {
      const size = fs.statSync(segmentFile(this.#dir, first)).size
      if (this.#cached?.first === first && this.#cached.size === size) return this.#cached.lines
      bytes = fs.readFileSync(segmentFile(this.#dir, first))
    } catch {
      return []
    }
    const lines = decodeBlock(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)).filter(
      (line) => line.seq <= this.lastSeq,
    )
    this.#cached = { first, size: bytes.length, lines }
    return lines
  }

  #readRest(): void {
    let file: number
    try {
      file = fs.openSync(segmentFile(this.#dir, this.#segment), 'r')
    } catch {
      return
    }
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      for (;;) {
        const read = fs.readSync(file, chunk, 0, CHUNK_BYTES, this.#offset)
        const end = chunk.subarray(0, read).lastIndexOf(NEWLINE) + 1
        if (end === 0) return
        this.#take(decodeBlock(chunk.subarray(0, end)))
        this.#offset += end
      }
    } finally {
      fs.closeSync(file)
    }
  }

  #take(lines: readonly ConsoleLine[]): void {
    for (const line of lines) {
      if (line.seq <= this.lastSeq) continue
      this.lastSeq = line.seq
      this.#ring.push(line)
      this.#ringSize += line.text.length + 48
    }
    if (this.#ringSize <= this.#ringBytes * 2) return
    let keepFrom = 0
    while (this.#ringSize > this.#ringBytes && keepFrom < this.#ring.length) {
      this.#ringSize -= (this.#ring[keepFrom]?.text.length ?? 0) + 48
      keepFrom++
    }
    this.#ring = this.#ring.slice(keepFrom)
  }
}
