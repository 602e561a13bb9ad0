import { StreamLanguage, type StreamParser } from '@codemirror/language'

/** Dates and times as servers write them, with or without brackets: `[12:34:56]`, `2026-01-02 12:34:56,789`. */
const TIME = /^\[?(?:\d{4}-\d{2}-\d{2}[T ])?\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?\]?/
const WORDS = [
  [/^(?:FATAL|SEVERE|ERROR|ERR|Exception|Caused by)\b/, 'invalid'],
  [/^(?:WARNING|WARN)\b/, 'changed'],
  [/^(?:INFO|DEBUG|TRACE)\b/, 'meta'],
] as const

/** Marks times, levels, quoted text and numbers; a line that continues a stack trace is dimmed. */
export const logParser: StreamParser<object> = {
  name: 'log',
  startState: () => ({}),
  token: (stream) => {
    if (stream.sol() && stream.match(/^\s+at\s.*/)) return 'comment'
    if (stream.eatSpace()) return null
    if (stream.match(TIME)) return 'comment'
    for (const [word, style] of WORDS) if (stream.match(word)) return style
    if (stream.match(/^"[^"]*"/)) return 'string'
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_.]*/u)) return null
    if (stream.match(/^\d+(?:\.\d+)*/)) return 'number'
    stream.next()
    return null
  },
}

/** Logs of servers. */
export const log = () => StreamLanguage.define(logParser)
