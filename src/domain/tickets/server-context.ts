import { sharedText } from '../servers/log-share.ts'
import { withoutCutWord } from '../servers/redaction.ts'

/** So many of the last lines of a server go along with a ticket, and so much of each, in UTF-16 units. */
export const CONTEXT_BOUNDS = { lines: 200, line: 400 } as const

/**
 * The last lines of a server's log as they go along with a ticket: visible characters without colours, without addresses, e-mail addresses
 * and tokens. A line is cut after it was redacted, so that no half of a secret stays; one that its node has cut before, at `cutAt` units, loses the
 * word at that cut.
 */
export const contextLines = (lines: readonly string[], cutAt = Number.POSITIVE_INFINITY): readonly string[] =>
  sharedText(lines.map((line) => withoutCutWord(line, cutAt)).join('\n'))
    .replaceAll(COLOUR, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-CONTEXT_BOUNDS.lines)
    .map((line) => line.slice(0, CONTEXT_BOUNDS.line))

const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;:]*m`, 'g')

/** A name that somebody typed, as it goes along: one line, redacted like the log. */
export const contextName = (name: string): string => sharedText(name).replaceAll('\n', ' ')

/** A seen context counts for so long: after that a customer looks at the server again before they send anything. */
export const CONTEXT_LIFE_MS = 3_600_000

/** The lines without those that the customer took out. */
export const keptLines = (lines: readonly string[], without: readonly number[]): readonly string[] => {
  const out = new Set(without)
  return lines.filter((_, at) => !out.has(at))
}
