import { plainText } from './ansi.ts'
import type { LogEntry } from './log-buffer.ts'
import type { LogClock } from './log-clock.ts'

/** The entries as text, one per line: date and time, then the output. `gapText` formats the number of missing lines. */
export const logText = (entries: readonly LogEntry[], clock: LogClock, gapText: (count: number) => string): string =>
  entries
    .map((entry) =>
      entry.kind === 'gap'
        ? `--- ${gapText(entry.count)} ---`
        : `${clock.full(entry.atMs)}  ${entry.kind === 'echo' ? `> ${entry.text}` : plainText(entry.text)}`,
    )
    .map((line) => `${line}\n`)
    .join('')

/** A file name valid everywhere: letters and digits of the server's name, and the time. */
export const logFileName = (serverName: string, atMs: number): string => {
  const plain = serverName
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()
  const moment = new Date(atMs).toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')
  return `${plain === '' ? 'server' : plain}-${moment}.log`
}

/** The entries between two numbers, both included. */
export const entriesBetween = (entries: readonly LogEntry[], from: number, to: number): readonly LogEntry[] =>
  entries.filter((entry) => entry.seq >= from && entry.seq <= to)

const seqOf = (node: Node | null): number | undefined => {
  const element = node instanceof Element ? node : node?.parentElement
  const seq = element?.closest('[data-seq]')?.getAttribute('data-seq')
  return seq === null || seq === undefined ? undefined : Number(seq)
}

/** First and last line of the reader's selection in the log; null without one. */
export const selectedRange = (log: HTMLElement | null): { from: number; to: number } | null => {
  const selection = window.getSelection()
  if (!log || !selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!log.contains(range.commonAncestorContainer)) return null
  const from = seqOf(range.startContainer)
  const to = seqOf(range.endContainer)
  return from === undefined || to === undefined ? null : { from, to }
}
