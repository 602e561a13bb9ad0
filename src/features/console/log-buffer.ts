import type { ConsoleLine } from '#contracts/panel/messages.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { levelOf } from './line-level.ts'
import type { Level } from './line-level.ts'

export type LogLine = {
  readonly kind: 'line'
  readonly seq: number
  readonly atMs: number
  readonly stream: ConsoleLine[2]
  readonly text: string
  readonly level: Level
}
/** `count` lines before number `seq` are not here and will not come. */
export type LogGap = { readonly kind: 'gap'; readonly seq: number; readonly count: number }
export type LogEntry = LogLine | LogGap

/** `lastSeq` 0: nothing was received yet. `dropped` counts the entries that the limit pushed out at the top. */
export type LogBuffer = { readonly entries: readonly LogEntry[]; readonly lastSeq: number; readonly dropped: number }

export const emptyLog: LogBuffer = { entries: [], lastSeq: 0, dropped: 0 }

const toLine = ([seq, atMs, stream, text]: ConsoleLine): LogLine => ({
  kind: 'line',
  seq,
  atMs,
  stream,
  text,
  level: levelOf({ stream, text }),
})

/** The lowest number that is held; infinite while nothing is. */
export const firstHeld = (buffer: LogBuffer): number =>
  buffer.entries.find((entry) => entry.kind === 'line')?.seq ?? Number.POSITIVE_INFINITY

const limited = (buffer: LogBuffer, limit: number): LogBuffer => {
  const over = Math.max(0, buffer.entries.length - limit)
  return over === 0 ? buffer : { ...buffer, entries: buffer.entries.slice(over), dropped: buffer.dropped + over }
}

/** Lines in the order of their numbers, each once, with a gap of the exact count wherever a number is missing. */
const chained = (batch: readonly ConsoleLine[], after: number): LogEntry[] => {
  const chain: LogEntry[] = []
  let last = after
  for (const raw of batch.toSorted((a, b) => a[0] - b[0])) {
    const seq = raw[0]
    if (seq <= last) continue
    if (last > 0 && seq > last + 1) chain.push({ kind: 'gap', seq, count: seq - last - 1 })
    chain.push(toLine(raw))
    last = seq
  }
  return chain
}

/**
 * Adds a batch of numbered lines: a number that was seen is ignored (rule P5), the batch is put in order, and a jump in
 * the numbers becomes a gap with the exact count (P3, P4). The first batch of a page may start at any number.
 */
export const appendLines = (
  buffer: LogBuffer,
  batch: readonly ConsoleLine[],
  limit: number = PANEL_LIMITS.linesShown,
): LogBuffer => {
  const added = chained(batch, buffer.lastSeq)
  const last = added.at(-1)
  if (!last) return buffer
  return limited({ ...buffer, entries: [...buffer.entries, ...added], lastSeq: last.seq }, limit)
}

/** The agent says that the next `count` lines are gone: the numbers move on, so that no second gap is made of them. */
export const appendDropped = (buffer: LogBuffer, count: number, limit: number = PANEL_LIMITS.linesShown): LogBuffer => {
  const seq = buffer.lastSeq + count + 1
  // Before the first line nothing is missing: the numbers simply start later.
  if (buffer.lastSeq === 0) return { ...buffer, lastSeq: seq - 1 }
  return limited({ ...buffer, entries: [...buffer.entries, { kind: 'gap', seq, count }], lastSeq: seq - 1 }, limit)
}

/**
 * Older lines from the file go before what is held; a number that is held already is ignored. What is missing between
 * the two is a gap with the exact count.
 */
export const prependLines = (
  buffer: LogBuffer,
  batch: readonly ConsoleLine[],
  limit: number = PANEL_LIMITS.linesShown,
): LogBuffer => {
  const first = firstHeld(buffer)
  const room = Math.max(0, limit - buffer.entries.length)
  const older = chained(
    batch.filter((line) => line[0] < first),
    0,
  )
  const newest = older.at(-1)
  if (!newest || room === 0) return buffer
  const missing = Number.isFinite(first) ? first - newest.seq - 1 : 0
  if (missing > 0) older.push({ kind: 'gap', seq: first, count: missing })
  const lastSeq = buffer.lastSeq === 0 ? newest.seq : buffer.lastSeq
  return { entries: [...older.slice(-room), ...buffer.entries], lastSeq, dropped: buffer.dropped }
}
