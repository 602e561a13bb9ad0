import * as z from 'zod'

/** Signals that may end a server. A node sends no others. */
export const STOP_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGTERM', 'SIGKILL'] as const
export const StopSignal = z.enum(STOP_SIGNALS)
export type StopSignal = z.infer<typeof StopSignal>

/** How a server is stopped: a command on its console, or a chain of signals that begins with `signal` (SIGINT). */
export const StopMethod = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), line: z.string().min(1).max(256) }),
  z.object({ kind: z.literal('signal'), signal: StopSignal.optional() }),
])
export type StopMethod = z.infer<typeof StopMethod>

/** Keys that a terminal turns into a signal. */
const BY_KEY: Readonly<Record<string, StopSignal>> = { C: 'SIGINT', '\\': 'SIGQUIT' }

/**
 * Parses a template's stop text. `^C`, `^c` and `^^C` are SIGINT, `^\` is SIGQUIT, `^TERM` and `^SIGTERM` name a signal
 * of the list, and any other `^X` is SIGINT: other panels turn unknown ones into SIGKILL and lose the world. Everything
 * else is a console command.
 */
export function stopMethodOf(text: string): StopMethod {
  const trimmed = text.trim()
  const [, name] = /^\^{1,2}(.+)$/.exec(trimmed) ?? []
  if (trimmed === '' || trimmed === '^') return { kind: 'signal', signal: 'SIGINT' }
  if (name === undefined) return { kind: 'command', line: trimmed }
  const word = name.trim().toUpperCase()
  const named = STOP_SIGNALS.find((signal) => signal === word || signal === `SIG${word}`)
  return { kind: 'signal', signal: BY_KEY[word] ?? named ?? 'SIGINT' }
}
