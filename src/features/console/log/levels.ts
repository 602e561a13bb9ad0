import type { LogEntry } from './log-buffer.ts'

export const filters = ['all', 'warning', 'error', 'chat'] as const
export type Filter = (typeof filters)[number]

export const countLevels = (entries: readonly LogEntry[]): Readonly<Record<Filter, number>> => {
  const counts = { all: 0, warning: 0, error: 0, chat: 0 }
  for (const entry of entries) {
    if (entry.kind !== 'line') continue
    counts.all += 1
    if (entry.level === 'warning' || entry.level === 'error' || entry.level === 'chat') counts[entry.level] += 1
  }
  return counts
}

/** The entries that pass a filter; gaps and sent commands are shown only without one. */
export const filterEntries = (entries: readonly LogEntry[], filter: Filter): readonly LogEntry[] =>
  filter === 'all' ? entries : entries.filter((entry) => entry.kind === 'line' && entry.level === filter)
