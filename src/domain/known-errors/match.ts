import { KNOWN_ERRORS, type KnownErrorId, type KnownErrorRule } from './rules.ts'

/** A line that names its error names it near the beginning; the rest of a long one is not read. */
export const MAX_READ = 600

const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;?]*[A-Za-z]|§[\da-fk-orx]`, 'gi')
/** Words of a person, in the spellings of the games: nobody raises a card by typing. */
const SPEECH: readonly RegExp[] = [
  /(?:^|[\]:]\s*)(?:\[[^\]]{1,32}\] ?)?<[^<>]{1,48}> /,
  /\bissued server command: /i,
  /\[(?:Server|Rcon)\] /,
  /\bsay(?:_team)? "/i,
  /(?:^|[\]\s])(?:CHAT|TEAMCHAT|ADMINCHAT|PM|SAY|chat)\s?:/,
  /\((?:Global|Side|Group|Vehicle|Direct|Command|All|Team)\) /,
  /ChatWindow: /,
  /\bscript:chat\b/i,
  /\bwhispers? (?:to )?/i,
]
/** Lines that a log only quotes: the help of a plugin, a note of a change, an answer from a list of questions. */
const QUOTED = /\b(?:help|usage|faq|hint|tip|changelog|fixed|resolved|example|for instance|if you see|did you know)\b/i

export interface LogText {
  readonly seq: number
  readonly text: string
}

export interface KnownErrorHit {
  readonly id: KnownErrorId
  readonly seq: number
  readonly line: string
  /** The lines right above it, which may say what it is about. */
  readonly above?: readonly string[]
}

const ruleOf = (text: string, rules: readonly KnownErrorRule[]): KnownErrorRule | undefined => {
  const lower = text.toLowerCase()
  return rules.find(({ words, pattern }) => words.some((word) => lower.includes(word)) && pattern.test(text))
}

/** The part of a line that is read: its beginning, without colours. */
export const readableText = (line: string): string => line.slice(0, MAX_READ).replaceAll(COLOUR, '')

/** Whether the text is what somebody says or what is only quoted, which raises no card. */
export const isNoError = (text: string): boolean => QUOTED.test(text) || SPEECH.some((speech) => speech.test(text))

/** The rule that a line of a server's log names, undefined for chat, for what is only quoted, and for all other lines. */
export const knownErrorIn = (line: string): KnownErrorId | undefined => {
  const text = readableText(line)
  const rule = ruleOf(text, KNOWN_ERRORS)
  return rule === undefined || isNoError(text) ? undefined : (rule.id as KnownErrorId)
}

/** The hits of further lines: at most one of each rule, with its newest line. The order is the order of first sight. */
export const withKnownErrors = (
  hits: readonly KnownErrorHit[],
  lines: readonly LogText[],
): readonly KnownErrorHit[] => {
  const found = new Map(hits.map((hit) => [hit.id, hit]))
  for (const { seq, text } of lines) {
    const id = knownErrorIn(text)
    if (id !== undefined) found.set(id, { id, seq, line: text })
  }
  return found.size === hits.length && hits.every((hit) => found.get(hit.id) === hit) ? hits : [...found.values()]
}
