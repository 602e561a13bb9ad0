import type { LogEntry, LogLine } from './log-buffer.ts'
import { plainText } from './ansi.ts'

export const levels = ['plain', 'warning', 'error', 'chat', 'join'] as const
export type Level = (typeof levels)[number]
export const filters = ['all', 'warning', 'error', 'chat'] as const
export type Filter = (typeof filters)[number]

const errorWords = /\b(error|severe|fatal|exception|failed|could not)\b|\bERR!/i
const warningWords = /\b(warn|warning|deprecated|outdated)\b/i
const chatLine = /(^|[\]:]\s*)<[^<>\s]{1,32}>\s/
const joinLine = /\b(joined|left) the game\b/i

/** The level that a line's words give it; a line of the error stream without such a word is a warning. */
export const levelOf = (line: Pick<LogLine, 'stream' | 'text'>): Level => {
  const text = plainText(line.text)
  if (chatLine.test(text)) return 'chat'
  if (joinLine.test(text)) return 'join'
  if (errorWords.test(text)) return 'error'
  if (warningWords.test(text) || line.stream === 'e') return 'warning'
  return 'plain'
}

const known = new WeakMap<LogLine, Level>()

/** As levelOf, read once for each line. */
export const cachedLevel = (line: LogLine): Level => {
  const held = known.get(line)
  if (held) return held
  const level = levelOf(line)
  known.set(line, level)
  return level
}

export const countLevels = (entries: readonly LogEntry[]): Readonly<Record<Filter, number>> => {
  const counts = { all: 0, warning: 0, error: 0, chat: 0 }
  for (const entry of entries) {
    if (entry.kind === 'gap') continue
    counts.all += 1
    const level = cachedLevel(entry)
    if (level === 'warning' || level === 'error' || level === 'chat') counts[level] += 1
  }
  return counts
}

/** What a filter and a search leave; gaps stay as long as nothing is filtered. */
export const filterEntries = (entries: readonly LogEntry[], filter: Filter, search: string): readonly LogEntry[] => {
  const wanted = search.trim().toLowerCase()
  if (filter === 'all' && wanted === '') return entries
  return entries.filter(
    (entry) =>
      entry.kind === 'line' &&
      (filter === 'all' || cachedLevel(entry) === filter) &&
      (wanted === '' || plainText(entry.text).toLowerCase().includes(wanted)),
  )
}
