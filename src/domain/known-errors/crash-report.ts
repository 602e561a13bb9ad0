import { redactLog, withoutCutWord } from '../servers/redaction.ts'
import { knownErrorIn, readableText } from './match.ts'
import type { KnownErrorId } from './rules.ts'

/** The cause of a crash by its last lines: the built-in rule that the newest of them names, and the lines redacted. */
export type CrashReport = { readonly error: KnownErrorId | undefined; readonly lines: readonly string[] }

/**
 * Reads the last lines of a program before its crash, which its node has cut at `cutAt` units. Addresses, e-mail addresses and tokens are taken out
 * of them, and with a cut line its last word.
 */
export const crashReport = (lines: readonly string[], cutAt: number): CrashReport => ({
  error: lines
    .map(knownErrorIn)
    .filter((id) => id !== undefined)
    .at(-1),
  lines: lines.map((line) => redactLog(readableText(withoutCutWord(line, cutAt)))),
})
