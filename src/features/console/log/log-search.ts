import type { AnsiRun } from './ansi.ts'
import { plainText } from './ansi.ts'
import type { LogEntry, LogLine } from './log-buffer.ts'

export type Search = { readonly text: string; readonly isRegex: boolean }
/** `pattern` null: no search. `invalid`: the text is not a valid regular expression. */
export type Compiled = { readonly pattern: RegExp | null; readonly invalid: boolean }

const hitsInLine = 100
/** A search that takes longer than this stops: a slow expression must not block the page. */
export const searchBudgetMs = 400

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/** The text literally, or as a regular expression; case is ignored. */
export const compileSearch = ({ text, isRegex }: Search): Compiled => {
  if (text.trim() === '') return { pattern: null, invalid: false }
  try {
    return { pattern: new RegExp(isRegex ? text : escaped(text), 'giu'), invalid: false }
  } catch {
    return { pattern: null, invalid: true }
  }
}

/** The hits in a line, as [from, to) of its plain text. An empty hit is ignored. */
export const hitsIn = (pattern: RegExp, line: string): readonly (readonly [number, number])[] => {
  const hits: [number, number][] = []
  for (const match of plainText(line).matchAll(pattern)) {
    if (match[0] !== '') hits.push([match.index, match.index + match[0].length])
    if (hits.length === hitsInLine) break
  }
  return hits
}

export type MarkedRun = AnsiRun & { readonly isHit: boolean }

/** The runs of a line cut at the hits, so that a hit keeps its colours. */
export const markedRuns = (
  runs: readonly AnsiRun[],
  hits: readonly (readonly [number, number])[],
): readonly MarkedRun[] => {
  const marked: MarkedRun[] = []
  let start = 0
  for (const { text, className } of runs) {
    let from = 0
    const push = (to: number, isHit: boolean) => {
      if (to > from) marked.push({ text: text.slice(from, to), className, isHit })
      from = Math.max(from, to)
    }
    for (const [hitFrom, hitTo] of hits) {
      if (hitTo <= start || hitFrom >= start + text.length) continue
      push(Math.max(0, hitFrom - start), false)
      push(Math.min(text.length, hitTo - start), true)
    }
    push(text.length, false)
    start += text.length
  }
  return marked
}

export type Matcher = { readonly pattern: RegExp; readonly matches: (line: LogLine) => boolean }

/** Caches each line's result, so that a growing log is searched once. */
export const createMatcher = (pattern: RegExp): Matcher => {
  const answers = new WeakMap<LogLine, boolean>()
  const matches = (line: LogLine): boolean => {
    const known = answers.get(line)
    if (known !== undefined) return known
    const answer = hitsIn(pattern, line.text).length > 0
    answers.set(line, answer)
    return answer
  }
  return { pattern, matches }
}

/** Numbers of the matching lines, oldest first; `complete` is false if the time ran out before the last line. */
export const findLines = (
  entries: readonly LogEntry[],
  matcher: Matcher,
  now: () => number,
): { readonly seqs: readonly number[]; readonly complete: boolean } => {
  const endMs = now() + searchBudgetMs
  const seqs: number[] = []
  for (const [index, entry] of entries.entries()) {
    if (index % 256 === 0 && now() > endMs) return { seqs, complete: false }
    if (entry.kind === 'line' && matcher.matches(entry)) seqs.push(entry.seq)
  }
  return { seqs, complete: true }
}

/** The hits of a search, with the search itself. */
export type Found = Search & { readonly seqs: readonly number[] }

/**
 * The hits of the currently typed text. Known hits may belong to earlier text: typing and pressing Enter at once means
 * the text just typed.
 */
export const hitsOfTyped = (typed: Search, found: Found, look: (matcher: Matcher) => readonly number[]) => {
  if (found.text === typed.text && found.isRegex === typed.isRegex) return found.seqs
  const { pattern } = compileSearch(typed)
  return pattern ? look(createMatcher(pattern)) : []
}

/** The hit after or before the current one, wrapping around; the newest one first if there is no current one. */
export const stepHit = (seqs: readonly number[], current: number, by: 1 | -1): number => {
  if (seqs.length === 0) return 0
  if (current === 0) return seqs.at(-1) ?? 0
  const next = by === 1 ? seqs.find((seq) => seq > current) : seqs.findLast((seq) => seq < current)
  return next ?? (by === 1 ? seqs[0] : seqs.at(-1)) ?? 0
}
