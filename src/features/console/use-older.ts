'use client'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { ConsoleState } from './console-store.ts'
import { firstHeld } from './log/log-buffer.ts'
import type { LogBuffer } from './log/log-buffer.ts'

/** What is above the oldest line: `end` is the start of what the node keeps, with the number of lines lost before it. */
export type OlderState =
  | { readonly kind: 'none' }
  | { readonly kind: 'more' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'end'; readonly lost: number }

/** The number before which older lines are asked for: the oldest one here, or whatever comes next where none is held. */
const askBefore = (log: LogBuffer): number => {
  const first = firstHeld(log)
  return Number.isFinite(first) ? first : log.lastSeq + 1
}

/** What the page can say of older lines, from what it holds and what the node said. */
export const olderState = (state: Pick<ConsoleState, 'log' | 'older' | 'askedBefore' | 'link'>): OlderState => {
  if (state.log.lastSeq === 0) return { kind: 'none' }
  const before = askBefore(state.log)
  // What was the beginning may have made way for newer lines since.
  if (state.older.kind === 'end' && before <= state.older.first) return { kind: 'end', lost: state.older.lost }
  if (before <= 1) return { kind: 'end', lost: 0 }
  if (state.link.kind !== 'live') return { kind: 'none' }
  return state.askedBefore === before ? { kind: 'asking' } : { kind: 'more' }
}

type OlderInput = {
  state: ConsoleState
  send: (message: PanelClientMessage) => boolean
  asked: (before: number) => void
  /** Lets the older stretch go. */
  toEnd: () => void
}

export type Older = {
  readonly older: OlderState
  readonly ask: () => void
  /** Goes from an older stretch to the newest lines, which the node is asked for again. */
  readonly toEnd: () => void
}

/** Asks for the lines before the oldest one; one question at a time. */
export const useOlder = ({ state, send, asked, toEnd }: OlderInput): Older => {
  const older = olderState(state)
  const limit = PANEL_LIMITS.historyPageLines
  return {
    older,
    ask: () => {
      const before = askBefore(state.log)
      if (older.kind !== 'more') return
      if (send({ event: 'send history', args: [{ before, limit }] })) asked(before)
    },
    toEnd: () => {
      const before = state.log.lastSeq + 1
      // Without a link the older stretch is better than nothing.
      if (!send({ event: 'send history', args: [{ before, limit }] })) return
      toEnd()
      asked(before)
    },
  }
}
