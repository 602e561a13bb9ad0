import { CONSOLE_NOTES } from '#contracts/console-notes.ts'
import type { ConsoleNote, ConsoleNoteCode } from '#contracts/console-notes.ts'

type Words = (code: ConsoleNoteCode, params: ConsoleNote['params']) => string

const isKnown = (code: string): code is ConsoleNoteCode => Object.hasOwn(CONSOLE_NOTES, code)

/** The sentence of a note from `console.notes`; undefined for one of a newer node, whose English text is then shown. */
export const noteWords = (words: Words, { code, params }: ConsoleNote): string | undefined => {
  if (!isKnown(code) || CONSOLE_NOTES[code].some((name) => !Object.hasOwn(params, name))) return undefined
  return words(code, params)
}
