import type { ConsoleLine } from '#contracts/panel/messages.ts'
import { plainText } from './ansi.ts'

export const levels = ['plain', 'warning', 'error', 'chat', 'join'] as const
export type Level = (typeof levels)[number]

const errorWords = /\b(error|severe|fatal|exception|failed|could not)\b|\bERR!/i
/** Names of classes, as in `java.lang.OutOfMemoryError` and `TypeError`. */
const errorClass = /[a-z](?:Error|Exception)\b/
/** A slip of the person at the keyboard; the server itself is fine. */
const unknownCommand = /\b(?:unknown|invalid|unrecognized) command\b|\bcommand not found\b/i
const warningWords = /\b(warn|warning|deprecated|outdated)\b/i
const chatLine = /(^|[\]:]\s*)<[^<>\s]{1,32}>\s/
const joinLine = /\b(joined|left) the game\b/i

/** A line's level by its words; a line of the error stream without such a word is a warning. */
export const levelOf = (line: { readonly stream: ConsoleLine[2]; readonly text: string }): Level => {
  const text = plainText(line.text)
  if (chatLine.test(text)) return 'chat'
  if (joinLine.test(text)) return 'join'
  if (unknownCommand.test(text)) return 'warning'
  if (errorWords.test(text) || errorClass.test(text)) return 'error'
  if (warningWords.test(text) || line.stream === 'e') return 'warning'
  return 'plain'
}
