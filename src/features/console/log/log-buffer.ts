import type { ConsoleLine } from '#contracts/panel/messages.ts'
import type { ConsoleNote } from '#contracts/console-notes.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { levelOf } from './line-level.ts'
import type { Level } from './line-level.ts'
import { withoutClock } from './own-clock.ts'

export type LogLine = {
  readonly kind: 'line'
  readonly seq: number
  readonly atMs: number
  readonly stream: ConsoleLine[2]
  /** The text that is shown, searched and copied: a note of the node in the reader's language. */
  readonly text: string
  readonly level: Level
}
/** `count` lines before number `seq` are missing for good. */
export type LogGap = { readonly kind: 'gap'; readonly seq: number; readonly count: number }
/** A command sent from this page, after line number `seq`. It is no line of the log: only this page has it. */
export type LogEcho = { readonly kind: 'echo'; readonly seq: number; readonly atMs: number; readonly text: string }
export type LogEntry = LogLine | LogGap | LogEcho

/**
 * A section of the log. `lastSeq` is the newest known number, 0 before anything was received; `behind` counts the lines
 * up to it that are not held because the section ends earlier: the reader is at an older position.
 */
export type LogBuffer = { readonly entries: readonly LogEntry[]; readonly lastSeq: number; readonly behind: number }

export const emptyLog: LogBuffer = { entries: [], lastSeq: 0, behind: 0 }

/** Translates a note to the reader's language; undefined if this page does not know it. */
export type SayNote = (note: ConsoleNote) => string | undefined
/** How much is held, whether held lines stay because somebody is reading them, and the translation of notes. */
export type LogRoom = { readonly limit: number; readonly isHeld: boolean; readonly say?: SayNote }
const usualRoom: LogRoom = { limit: PANEL_LIMITS.linesShown, isHeld: false }

/** The level is determined from a note's English text, so that it is the same in every language. */
const toLine = ([seq, atMs, stream, text, note]: ConsoleLine, say: SayNote | undefined): LogLine => ({
  kind: 'line',
  seq,
  atMs,
  stream,
  text: (stream === 'x' && note !== undefined ? say?.(note) : undefined) ?? withoutClock(text),
  level: levelOf({ stream, text }),
})

/** The lowest held number; infinite if nothing is held. */
export const firstHeld = (buffer: LogBuffer): number =>
  buffer.entries.find((entry) => entry.kind === 'line')?.seq ?? Number.POSITIVE_INFINITY

const countLines = (entries: readonly LogEntry[]): number =>
  entries.reduce((count, entry) => count + (entry.kind === 'line' ? 1 : 0), 0)

const grown = (buffer: LogBuffer, added: readonly LogEntry[], { limit }: LogRoom): readonly LogEntry[] => {
  const entries = [...buffer.entries, ...added]
  return entries.length > limit ? entries.slice(entries.length - limit) : entries
}

/** New lines are only counted if they would push out the lines being read, and while the section ends earlier. */
const isOnlyCounted = (buffer: LogBuffer, added: number, room: LogRoom): boolean =>
  buffer.behind > 0 || (room.isHeld && buffer.entries.length + added > room.limit)

/** Lines in the order of their numbers, each once, with a gap of the exact count for missing numbers. */
const chained = (batch: readonly ConsoleLine[], after: number, say: SayNote | undefined): LogEntry[] => {
  const chain: LogEntry[] = []
  let last = after
  for (const raw of batch.toSorted((a, b) => a[0] - b[0])) {
    const seq = raw[0]
    if (seq <= last) continue
    if (last > 0 && seq > last + 1) chain.push({ kind: 'gap', seq, count: seq - last - 1 })
    chain.push(toLine(raw, say))
    last = seq
  }
  return chain
}

/**
 * Adds a batch of numbered lines: a known number is ignored (rule P5), the batch is sorted, and a jump in the numbers
 * becomes a gap with the exact count (P3, P4). The first batch of a page may start at any number.
 */
export const appendLines = (buffer: LogBuffer, batch: readonly ConsoleLine[], room: LogRoom = usualRoom): LogBuffer => {
  const added = chained(batch, buffer.lastSeq, room.say)
  const lastSeq = added.at(-1)?.seq
  if (lastSeq === undefined) return buffer
  if (isOnlyCounted(buffer, added.length, room)) {
    return { ...buffer, lastSeq, behind: buffer.behind + countLines(added) }
  }
  return { entries: grown(buffer, added, room), lastSeq, behind: 0 }
}

/**
 * Adds a sent command below the newest line; not while the section ends earlier, where it would be in the wrong place, and not where it
 * would push out a line that is being read.
 */
export const appendEcho = (
  buffer: LogBuffer,
  { text, atMs }: Pick<LogEcho, 'text' | 'atMs'>,
  room: LogRoom = usualRoom,
): LogBuffer =>
  isOnlyCounted(buffer, 1, room)
    ? buffer
    : { ...buffer, entries: grown(buffer, [{ kind: 'echo', seq: buffer.lastSeq, atMs, text }], room) }

/** The agent reports that the next `count` lines are lost: the numbers advance, so that no second gap is created. */
export const appendDropped = (buffer: LogBuffer, count: number, room: LogRoom = usualRoom): LogBuffer => {
  const lastSeq = buffer.lastSeq + count
  // Before the first line nothing is missing: the numbers simply start later.
  if (buffer.lastSeq === 0) return { ...buffer, lastSeq }
  if (isOnlyCounted(buffer, 1, room)) return { ...buffer, lastSeq, behind: buffer.behind + count }
  return { entries: grown(buffer, [{ kind: 'gap', seq: lastSeq + 1, count }], room), lastSeq, behind: 0 }
}

/**
 * Older lines from the file are put before the held ones; a held number is ignored. Missing lines in between are a gap
 * with the exact count. If there is no space for both, the newest lines are dropped, since the file has them.
 */
export const prependLines = (
  buffer: LogBuffer,
  batch: readonly ConsoleLine[],
  { limit, say }: Omit<LogRoom, 'isHeld'> = usualRoom,
): LogBuffer => {
  const first = firstHeld(buffer)
  const older = chained(
    batch.filter((line) => line[0] < first),
    0,
    say,
  )
  const newest = older.at(-1)
  if (!newest) return buffer
  const missing = Number.isFinite(first) ? first - newest.seq - 1 : 0
  if (missing > 0) older.push({ kind: 'gap', seq: first, count: missing })
  const entries = [...older, ...buffer.entries]
  return {
    entries: entries.slice(0, limit),
    lastSeq: Math.max(buffer.lastSeq, newest.seq),
    behind: buffer.behind + countLines(entries.slice(limit)),
  }
}

/** Drops the older section: new lines are held again, and earlier ones are requested. */
export const atEnd = (buffer: LogBuffer): LogBuffer => ({ ...emptyLog, lastSeq: buffer.lastSeq })
