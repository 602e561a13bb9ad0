import type { ConsoleLine } from '#contracts/panel/messages.ts'
import type { ConsoleNote } from '#contracts/panel/console-notes.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { levelOf } from './line-level.ts'
import type { Level } from './line-level.ts'

export type LogLine = {
  readonly kind: 'line'
  readonly seq: number
  readonly atMs: number
  readonly stream: ConsoleLine[2]
  /** What is shown, searched and copied: a note of the node's own in the reader's language. */
  readonly text: string
  readonly level: Level
}
/** `count` lines before number `seq` are not here and will not come. */
export type LogGap = { readonly kind: 'gap'; readonly seq: number; readonly count: number }
export type LogEntry = LogLine | LogGap

/**
 * A stretch of the log. `lastSeq` is the newest number that is known, 0 before anything was received; `behind` counts the
 * lines up to it that are not held because the stretch ends earlier: the reader is at an older place.
 */
export type LogBuffer = { readonly entries: readonly LogEntry[]; readonly lastSeq: number; readonly behind: number }

export const emptyLog: LogBuffer = { entries: [], lastSeq: 0, behind: 0 }

/** Says a note in the reader's language; undefined where this page has no words for it. */
export type SayNote = (note: ConsoleNote) => string | undefined
/** How much is held, whether what is held stays because somebody is reading it, and who says the notes. */
export type LogRoom = { readonly limit: number; readonly isHeld: boolean; readonly say?: SayNote }
const usualRoom: LogRoom = { limit: PANEL_LIMITS.linesShown, isHeld: false }

/** The level comes from the English words of a note, so that it is the same in every language. */
const toLine = ([seq, atMs, stream, text, note]: ConsoleLine, say: SayNote | undefined): LogLine => ({
  kind: 'line',
  seq,
  atMs,
  stream,
  text: (stream === 'x' && note !== undefined ? say?.(note) : undefined) ?? text,
  level: levelOf({ stream, text }),
})

/** The lowest number that is held; infinite while nothing is. */
export const firstHeld = (buffer: LogBuffer): number =>
  buffer.entries.find((entry) => entry.kind === 'line')?.seq ?? Number.POSITIVE_INFINITY

const countLines = (entries: readonly LogEntry[]): number =>
  entries.reduce((count, entry) => count + (entry.kind === 'line' ? 1 : 0), 0)

const grown = (buffer: LogBuffer, added: readonly LogEntry[], { limit }: LogRoom): readonly LogEntry[] => {
  const entries = [...buffer.entries, ...added]
  return entries.length > limit ? entries.slice(entries.length - limit) : entries
}

/** New lines are only counted where they would push out what is being read, and as long as the stretch ends earlier. */
const isOnlyCounted = (buffer: LogBuffer, added: number, room: LogRoom): boolean =>
  buffer.behind > 0 || (room.isHeld && buffer.entries.length + added > room.limit)

/** Lines in the order of their numbers, each once, with a gap of the exact count wherever a number is missing. */
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
 * Adds a batch of numbered lines: a number that was seen is ignored (rule P5), the batch is put in order, and a jump in
 * the numbers becomes a gap with the exact count (P3, P4). The first batch of a page may start at any number.
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

/** The agent says that the next `count` lines are gone: the numbers move on, so that no second gap is made of them. */
export const appendDropped = (buffer: LogBuffer, count: number, room: LogRoom = usualRoom): LogBuffer => {
  const lastSeq = buffer.lastSeq + count
  // Before the first line nothing is missing: the numbers simply start later.
  if (buffer.lastSeq === 0) return { ...buffer, lastSeq }
  if (isOnlyCounted(buffer, 1, room)) return { ...buffer, lastSeq, behind: buffer.behind + count }
  return { entries: grown(buffer, [{ kind: 'gap', seq: lastSeq + 1, count }], room), lastSeq, behind: 0 }
}

/**
 * Older lines from the file go before what is held; a number that is held already is ignored. What is missing between
 * the two is a gap with the exact count. Where there is no room for both, the newest lines make way: the file has them.
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

/** Lets the older stretch go: what comes from now on is held again, and what came before is asked for. */
export const atEnd = (buffer: LogBuffer): LogBuffer => ({ ...emptyLog, lastSeq: buffer.lastSeq })
