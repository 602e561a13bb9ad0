import { LOG_SHARE_BOUNDS } from '#domain/servers/log-share.ts'
import type { LogEntry } from '../log/log-buffer.ts'
import type { LogClock } from '../log/log-clock.ts'

/** Positions among the shown lines, from 1 on, both included. */
export type LineRange = { readonly first: number; readonly last: number }

/** So many of the newest lines are offered when nothing is selected. */
const OFFERED = 100

/** A range inside of a log of `count` lines, of at most as many lines as can be shared: the last ones of those asked for. */
export const rangeWithin = ({ first, last }: LineRange, count: number): LineRange => {
  const end = Math.min(Math.max(1, Math.trunc(last) || 1), Math.max(1, count))
  const begin = Math.min(Math.max(1, Math.trunc(first) || 1), end)
  return { first: Math.max(begin, end - LOG_SHARE_BOUNDS.lines + 1), last: end }
}

/** The selected lines by their numbers; without a selection the newest ones. */
export const rangeAtFirst = (
  entries: readonly LogEntry[],
  selected: { readonly from: number; readonly to: number } | null,
): LineRange => {
  const newest = { first: entries.length - OFFERED + 1, last: entries.length }
  if (selected === null) return rangeWithin(newest, entries.length)
  const first = entries.findIndex(({ seq }) => seq >= selected.from)
  const last = entries.findLastIndex(({ seq }) => seq <= selected.to)
  return rangeWithin(first < 0 || last < first ? newest : { first: first + 1, last: last + 1 }, entries.length)
}

type Words = { readonly clock: LogClock; readonly gapText: (count: number) => string }

/** The lines of a range with their times and colours, as they are sent. */
export const rangeText = (
  entries: readonly LogEntry[],
  { first, last }: LineRange,
  { clock, gapText }: Words,
): string =>
  entries
    .slice(first - 1, last)
    .map((entry) => {
      if (entry.kind === 'gap') return `--- ${gapText(entry.count)} ---`
      return `${clock.full(entry.atMs)}  ${entry.kind === 'echo' ? `> ${entry.text}` : entry.text}`
    })
    .join('\n')
