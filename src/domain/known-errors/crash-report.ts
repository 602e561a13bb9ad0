import { redactLog } from '../servers/redaction.ts'
import { knownErrorIn, readableText } from './match.ts'
import type { KnownErrorId } from './rules.ts'

/** What the last lines before a crash say: the built-in rule that the newest of them names, and the lines redacted. */
export type CrashReport = { readonly error: KnownErrorId | undefined; readonly lines: readonly string[] }

/** Reads the last lines of a program before its crash. Addresses, e-mail addresses and tokens are taken out of them. */
export const crashReport = (lines: readonly string[]): CrashReport => ({
  error: lines
    .map(knownErrorIn)
    .filter((id) => id !== undefined)
    .at(-1),
  lines: lines.map((line) => redactLog(readableText(line))),
})
