'use client'
import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { OlderState } from './use-older.ts'
import type { Moment, SharedMoment } from './use-moment.ts'
import type { LogEntry, LogLine } from './log/log-buffer.ts'

/** Below the rate at which the node answers requests for older lines. */
const askEveryMs = 600
/** The browser reports our own scrolling too: it is no movement of the reader. */
const ownScrollMs = 500
/** Blocks that come into view move our place by less, and a reader by more. */
const ownDriftPx = 48

/** The first line at or after a time, the last one if all are earlier. Commands and gaps are no lines. */
export const lineAt = (entries: readonly LogEntry[], atMs: number): LogLine | undefined => {
  const lines = entries.filter((entry) => entry.kind === 'line')
  return lines.find((line) => line.atMs >= atMs) ?? lines.at(-1)
}

/**
 * Puts a row into the middle of the log. Only the log scrolls: the page stays, because the reader's pointer or focus is in the graphs
 * above.
 */
const showRow = (area: HTMLElement, row: Element): number => {
  const { top, height } = row.getBoundingClientRect()
  area.scrollTop += top - area.getBoundingClientRect().top - (area.clientHeight - height) / 2
  return area.scrollTop
}

export type MomentStep = 'show' | 'older' | 'wait' | 'end'

type Known = { entries: readonly LogEntry[]; older: OlderState; behind: number }

/**
 * The next step that brings the lines of a time into view: load older lines, return to the end, wait for an answer, or
 * scroll.
 */
export const momentStep = ({ entries, older, behind }: Known, atMs: number): MomentStep => {
  const lines = entries.filter((entry) => entry.kind === 'line')
  const [first, last] = [lines[0], lines.at(-1)]
  if (older.kind === 'asking') return 'wait'
  if (behind > 0 && last !== undefined && last.atMs < atMs) return 'end'
  if (older.kind === 'more' && (first === undefined || first.atMs > atMs)) return 'older'
  return 'show'
}

type MomentInput = Known & {
  box: RefObject<HTMLDivElement | null>
  shared: SharedMoment
  following: boolean
  pause: () => void
  onOlder: () => void
  onToEnd: () => void
}

/** Scrolls the log to the time that was chosen in the graphs, and tells the graphs the time of the lines in view. */
export const useLogMoment = (input: MomentInput): { onScroll: () => void } => {
  const { box, shared, entries, older, behind, following, pause, onOlder, onToEnd } = input
  const { moment, isOpen, seen } = shared
  const shown = useRef<Moment | null>(null)
  const ownScroll = useRef({ atMs: Number.NEGATIVE_INFINITY, top: 0 })
  const again = useRef(0)
  const acts = useRef({ onOlder, onToEnd })
  useEffect(() => {
    acts.current = { onOlder, onToEnd }
  })
  useEffect(() => {
    if (moment?.from !== 'graphs' || shown.current === moment) return undefined
    pause()
    const step = momentStep({ entries, older, behind }, moment.atMs)
    if (step === 'wait') return undefined
    if (step !== 'show') {
      const act = step === 'older' ? () => acts.current.onOlder() : () => acts.current.onToEnd()
      const timer = window.setTimeout(act, askEveryMs)
      return () => window.clearTimeout(timer)
    }
    shown.current = moment
    const line = lineAt(entries, moment.atMs)
    const area = box.current
    const row = line && area?.querySelector(`[data-seq="${line.seq}"]`)
    if (!area || !row) return undefined
    const scroll = () => {
      if (row.isConnected) ownScroll.current = { atMs: performance.now(), top: showRow(area, row) }
    }
    scroll()
    // Blocks out of view have estimated heights, and their true ones once they are in view.
    again.current = requestAnimationFrame(scroll)
    return undefined
  }, [box, moment, entries, older, behind, pause])
  // New lines do not end it: only another moment is shown at another place.
  useEffect(() => () => cancelAnimationFrame(again.current), [moment])

  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  const onScroll = useCallback(() => {
    const { atMs, top: ownTop } = ownScroll.current
    const drift = Math.abs((box.current?.scrollTop ?? 0) - ownTop)
    if (!isOpen || (performance.now() - atMs < ownScrollMs && drift < ownDriftPx)) return
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const area = box.current
      if (!area) return
      if (following) return seen(null)
      const { left, top, height } = area.getBoundingClientRect()
      const row = document.elementFromPoint(left + 24, top + height / 2)?.closest<HTMLElement>('[data-seq]')
      const seq = Number(row?.dataset['seq'])
      const line = entries.find((entry) => entry.kind === 'line' && entry.seq === seq)
      if (line?.kind === 'line') seen(line.atMs)
    })
  }, [box, isOpen, following, entries, seen])
  return { onScroll }
}
