import { CRASH_LINE_LENGTH, CRASH_LINES } from '#contracts/agent/session.ts'
import type { RefreshableConsole } from '../runtime/driver/runtime-driver.ts'

/** Older lines belong to an earlier run. */
const SAME_RUN_MS = 10 * 60_000
/** Notes of the node stand between the lines of the program. */
const READ = { maxLines: 2 * CRASH_LINES, maxBytes: 64 * 1024 }

/** The last lines that the program itself has written, the newest last, each cut to the length that an event carries. */
export const lastLines = (console: RefreshableConsole): string[] => {
  console.refresh()
  const { lines } = console.before(console.lastSeq + 1, READ)
  const newestMs = lines.at(-1)?.timeMs ?? 0
  return lines
    .filter(({ stream, timeMs }) => (stream === 'o' || stream === 'e') && timeMs >= newestMs - SAME_RUN_MS)
    .slice(-CRASH_LINES)
    .map(({ text }) => text.slice(0, CRASH_LINE_LENGTH).toWellFormed())
}
