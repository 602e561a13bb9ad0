import type { LogEntry } from './log-buffer.ts'

/** Numbers per block. The browser lays out only blocks near the view. */
export const blockSpan = 100

/** A run of entries that is drawn, cached and measured as a unit. */
export type LogBlock = {
  readonly id: number
  readonly entries: readonly LogEntry[]
  /** The minute of the line before the block: a narrow screen prints the time only when the minute changes. */
  readonly minuteBefore: number
}

export const minuteOf = (atMs: number): number => Math.floor(atMs / 60_000)

const isSame = (a: LogBlock, b: LogBlock): boolean =>
  a.entries.length === b.entries.length &&
  a.minuteBefore === b.minuteBefore &&
  a.entries[0] === b.entries[0] &&
  a.entries.at(-1) === b.entries.at(-1) &&
  // With equal ends a filter may still have removed something in between.
  a.entries.every((entry, index) => entry === b.entries[index])

const lastMinute = (entries: readonly LogEntry[], before: number): number => {
  const line = entries.findLast((entry) => entry.kind === 'line')
  return line?.kind === 'line' ? minuteOf(line.atMs) : before
}

/**
 * Cuts the entries into blocks by number, so that neither older lines at the top nor the limit moves an entry into
 * another block. An unchanged block is the same object as in `known`.
 */
export const blocksOf = (entries: readonly LogEntry[], known: readonly LogBlock[] = []): readonly LogBlock[] => {
  const held = new Map(known.map((block) => [block.id, block]))
  const blocks: LogBlock[] = []
  let from = 0
  let minuteBefore = -1
  while (from < entries.length) {
    const id = Math.floor((entries[from]?.seq ?? 0) / blockSpan)
    let to = from + 1
    while (to < entries.length && Math.floor((entries[to]?.seq ?? 0) / blockSpan) === id) to += 1
    const made = { id, entries: entries.slice(from, to), minuteBefore }
    const before = held.get(id)
    const block = before && isSame(before, made) ? before : made
    blocks.push(block)
    minuteBefore = lastMinute(block.entries, minuteBefore)
    from = to
  }
  return blocks
}

/** Numbers of the first lines of each minute. */
export const minuteOpeners = (block: LogBlock): ReadonlySet<number> => {
  const openers = new Set<number>()
  let minute = block.minuteBefore
  for (const entry of block.entries) {
    if (entry.kind !== 'line' || minuteOf(entry.atMs) === minute) continue
    minute = minuteOf(entry.atMs)
    openers.add(entry.seq)
  }
  return openers
}

/** blocksOf with memory: anything unchanged since the last call is the same object. */
export const createBlockCutter = (): ((entries: readonly LogEntry[]) => readonly LogBlock[]) => {
  let known: readonly LogBlock[] = []
  return (entries) => {
    known = blocksOf(entries, known)
    return known
  }
}
