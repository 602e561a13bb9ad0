import fs from 'node:fs'
import path from 'node:path'
import { decodeLine, type ConsoleLine } from './console-line.ts'

const NAME = /^(\d{12})\.log$/

/** A segment is named by the sequence number of its first line. */
export const segmentFile = (dir: string, first: number): string =>
  path.join(dir, `${String(first).padStart(12, '0')}.log`)

/** First sequence numbers of the segments in `dir`, ascending; none for a missing folder. */
export const listSegments = (dir: string): number[] => {
  let names: string[]
  try {
    names = fs.readdirSync(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return names
    .flatMap((name) => {
      const match = NAME.exec(name)
      return match ? [Number(match[1])] : []
    })
    .sort((a, b) => a - b)
}

/** The records in the complete rows of a segment; invalid rows are skipped. */
export const decodeBlock = (bytes: Buffer): ConsoleLine[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .flatMap((row) => {
      const line = row === '' ? undefined : decodeLine(row)
      return line === undefined ? [] : [line]
    })
