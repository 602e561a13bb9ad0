import * as z from 'zod'

/**
 * The agent's own notes, on a console and as `daemon message`, by code, with the names of their parameters. The log
 * contains a note as an English sentence; code and parameters are sent beside it, so that a page can translate it
 * (SPEC.md P20). `end` is code, signal or unknown; `memory` is full if the program was ended because it reached its
 * memory limit, else fine.
 */
export const CONSOLE_NOTES = {
  crashed: ['end', 'code', 'signal', 'memory'],
  'ended-early': ['end', 'code', 'signal', 'memory'],
  restarts: ['attempt', 'minutes', 'seconds'],
  'stays-down': ['crashes', 'minutes'],
  'machine-restarted': [],
  'machine-restarted-stays': [],
  'no-auto-start': [],
  'slow-start': ['minutes'],
  'action-failed': ['action', 'reason', 'detail'],
  'network-lost': [],
  'done-text': ['text', 'problem'],
  'not-started': ['detail'],
  'program-not-started': ['reason'],
  'install-step-failed': ['step', 'end', 'code', 'signal'],
  'install-failed': ['detail'],
  'time-limit': ['seconds'],
  'storage-exceeded': ['usedMiB', 'limitMiB'],
  'storage-filling': ['usedMiB', 'limitMiB'],
  'storage-not-started': ['usedMiB', 'limitMiB'],
  flood: [],
  'flood-counted': ['seconds', 'lines'],
  unwritten: ['lines'],
  'lines-lost': ['lines'],
  'some-lines-lost': [],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type ConsoleNoteCode = keyof typeof CONSOLE_NOTES

/** The wire form: a page does not know the codes of a newer agent, and then shows the sentence. */
export const ConsoleNote = z.object({
  code: z.string().max(64),
  params: z.record(z.string().max(32), z.union([z.string().max(1_000), z.number()])),
})
export type ConsoleNote = z.infer<typeof ConsoleNote>

type ParamsOf<Code extends ConsoleNoteCode> = Readonly<Record<(typeof CONSOLE_NOTES)[Code][number], string | number>>
/** A note of this version: a code of the list with all of its parameters. */
export type KnownConsoleNote = {
  readonly [Code in ConsoleNoteCode]: { readonly code: Code; readonly params: ParamsOf<Code> }
}[ConsoleNoteCode]
