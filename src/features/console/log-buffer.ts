import type { ConsoleLine } from '#contracts/panel/messages.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'

export type LogLine = {
  readonly kind: 'line'
  readonly seq: number
  readonly atMs: number
  readonly stream: ConsoleLine[2]
  readonly text: string
}
/** `count` lines before number `seq` are not here and will not come. */
export type LogGap = { readonly kind: 'gap'; readonly seq: number; readonly count: number }
export type LogEntry = LogLine | LogGap

/** `lastSeq` 0: nothing was received yet. `dropped` counts the entries that the limit pushed out at the top. */
export type LogBuffer = { readonly entries: readonly LogEntry[]; readonly lastSeq: number; readonly dropped: number }

export const emptyLog: LogBuffer = { entries: [], lastSeq: 0, dropped: 0 }

const toLine = ([seq, atMs, stream, text]: ConsoleLine): LogLine => ({ kind: 'line', seq, atMs, stream, text })

const limited = (buffer: LogBuffer, limit: number): LogBuffer => {
  const over = Math.max(0, buffer.entries.length - limit)
  return over === 0 ? buffer : { ...buffer, entries: buffer.entries.slice(over), dropped: buffer.dropped + over }
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
  const added: LogEntry[] = []
  let last = buffer.lastSeq
  for (const raw of batch.toSorted((a, b) => a[0] - b[0])) {
    const line = toLine(raw)
    if (line.seq <= last) continue
    if (last > 0 && line.seq > last + 1) added.push({ kind: 'gap', seq: line.seq, count: line.seq - last - 1 })
    added.push(line)
    last = line.seq
  }
  if (added.length === 0) return buffer
  return limited({ ...buffer, entries: [...buffer.entries, ...added], lastSeq: last }, limit)
}

/** The agent says that the next `count` lines are gone: the numbers move on, so that no second gap is made of them. */
export const appendDropped = (buffer: LogBuffer, count: number, limit: number = PANEL_LIMITS.linesShown): LogBuffer => {
  const seq = buffer.lastSeq + count + 1
  // Before the first line nothing is missing: the numbers simply start later.
  if (buffer.lastSeq === 0) return { ...buffer, lastSeq: seq - 1 }
  return limited({ ...buffer, entries: [...buffer.entries, { kind: 'gap', seq, count }], lastSeq: seq - 1 }, limit)
}

/** Older lines from the file go before what is held; a number that is held already is ignored. */
export const prependLines = (
  buffer: LogBuffer,
  batch: readonly ConsoleLine[],
  limit: number = PANEL_LIMITS.linesShown,
): LogBuffer => {
  const first = buffer.entries.find((entry) => entry.kind === 'line')?.seq ?? Number.POSITIVE_INFINITY
  const room = Math.max(0, limit - buffer.entries.length)
  const older = batch
    .filter((line) => line[0] < first)
    .toSorted((a, b) => a[0] - b[0])
    .filter((line, index, all) => index === 0 || all[index - 1]?.[0] !== line[0])
    .map(toLine)
  const kept = room === 0 ? [] : older.slice(-room)
  if (kept.length === 0) return buffer
  const lastSeq = buffer.lastSeq === 0 ? (kept.at(-1)?.seq ?? 0) : buffer.lastSeq
  return { entries: [...kept, ...buffer.entries], lastSeq, dropped: buffer.dropped }
}
