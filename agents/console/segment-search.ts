import fs from 'node:fs'
import { decodeLine, type ConsoleLine } from './console-line.ts'

const NEWLINE = 10
const FIRST_READ_BYTES = 8 * 1024
/** More than the longest record: 16 KiB of tabs or of broken UTF-8 become four times as many bytes. */
const RECORD_BYTES = 80 * 1024

/** An open segment: a file of rows with rising numbers, of which the first `size` bytes are read. */
export interface OpenSegment {
  readonly file: number
  readonly size: number
}

export interface PageLimit {
  readonly maxLines: number
  readonly maxBytes: number
}

interface Row {
  /** The offset of the row. */
  readonly at: number
  /** Undefined for an invalid row. */
  readonly line: ConsoleLine | undefined
}

const readWindow = (segment: OpenSegment, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, segment.size) - from))
  let length = 0
  while (length < bytes.length) {
    const read = fs.readSync(segment.file, bytes, length, bytes.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** The complete rows from an offset on, read on demand. */
const rowsFrom = function* (segment: OpenSegment, from: number): Generator<Row> {
  let chunkBytes = FIRST_READ_BYTES
  for (let at = from; at < segment.size;) {
    const bytes = readWindow(segment, at, at + chunkBytes)
    let row = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, row)) {
      yield { at: at + row, line: decodeLine(bytes.toString('utf8', row, end)) }
      row = end + 1
    }
    if (row === 0 && bytes.length < chunkBytes) return
    if (row === 0) chunkBytes *= 2
    at += row
  }
}

/** The first record whose row begins at or after `from` and before `to`. A `from` within a row means the next row. */
const firstRecord = (segment: OpenSegment, from: number, to: number): { at: number; seq: number } | undefined => {
  for (const { at, line } of rowsFrom(segment, Math.max(0, from - 1))) {
    if (at >= to) return undefined
    if (at >= from && line !== undefined) return { at, seq: line.seq }
  }
  return undefined
}

/**
 * The offset of the first row with a number of at least `seq`; the end of the segment without one. Reads a few windows,
 * whatever the segment's size.
 */
export const offsetOf = (segment: OpenSegment, seq: number): number => {
  let low = 0
  let high = segment.size
  while (high - low > FIRST_READ_BYTES) {
    const middle = low + Math.floor((high - low) / 2)
    const found = firstRecord(segment, middle, high)
    if (found === undefined || found.seq >= seq) high = middle
    else low = found.at
  }
  for (const { at, line } of rowsFrom(segment, low)) if (line !== undefined && line.seq >= seq) return at
  return segment.size
}

/** The records from an offset on: at least one if there is one, however long it is. */
export const readForward = (segment: OpenSegment, from: number, limit: PageLimit): ConsoleLine[] => {
  const lines: ConsoleLine[] = []
  for (const { at, line } of rowsFrom(segment, from)) {
    if (lines.length > 0 && (lines.length >= limit.maxLines || at - from >= limit.maxBytes)) break
    if (line !== undefined) lines.push(line)
  }
  return lines
}

/** The newest records before the offset `to`, ascending: at least one if there is one. */
export const readBackward = (segment: OpenSegment, to: number, limit: PageLimit): ConsoleLine[] => {
  const from = Math.max(0, to - limit.maxBytes - RECORD_BYTES)
  const bytes = readWindow(segment, from, to)
  const lines: ConsoleLine[] = []
  for (let end = bytes.lastIndexOf(NEWLINE); end >= 0;) {
    if (lines.length > 0 && (lines.length >= limit.maxLines || bytes.length - end > limit.maxBytes)) break
    const before = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1)
    // The row at the window's edge may have begun earlier.
    if (before < 0 && from > 0) break
    const line = decodeLine(bytes.toString('utf8', before + 1, end))
    if (line !== undefined) lines.push(line)
    end = before
  }
  return lines.reverse()
}
