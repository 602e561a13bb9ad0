import { CRASH_LINE_LENGTH, CRASH_LINES, TAIL_BOUNDS, type ConsoleTail } from '#contracts/agent/session.ts'
import type { ConsoleLine } from '../console/console-line.ts'
import type { RefreshableConsole } from '../runtime/driver/runtime-driver.ts'

/** Older lines belong to an earlier run. */
const SAME_RUN_MS = 10 * 60_000
/** Notes of the node stand between the lines of the program. */
const READ = { maxLines: 2 * CRASH_LINES, maxBytes: 64 * 1024 }
const READ_TAIL = { maxLines: 2 * TAIL_BOUNDS.lines, maxBytes: 512 * 1024 }

const isOfProgram = ({ stream }: ConsoleLine): boolean => stream === 'o' || stream === 'e'

/** The last lines that the program itself has written, the newest last, each cut to the length that an event carries. */
export const lastLines = (console: RefreshableConsole): string[] => {
  console.refresh()
  const { lines } = console.before(console.lastSeq + 1, READ)
  const newestMs = lines.at(-1)?.timeMs ?? 0
  return lines
    .filter((line) => isOfProgram(line) && line.timeMs >= newestMs - SAME_RUN_MS)
    .slice(-CRASH_LINES)
    .map(({ text }) => text.slice(0, CRASH_LINE_LENGTH).toWellFormed())
}

/** The last lines of the program, of whichever run; null where it has written none. */
export const consoleTail = (console: RefreshableConsole): ConsoleTail | null => {
  console.refresh()
  const lines = console
    .before(console.lastSeq + 1, READ_TAIL)
    .lines.filter(isOfProgram)
    .slice(-TAIL_BOUNDS.lines)
  const newest = lines.at(-1)
  if (newest === undefined) return null
  return {
    atMs: newest.timeMs,
    lines: lines.map(({ text }) => text.slice(0, TAIL_BOUNDS.line).toWellFormed()),
  }
}
