'use client'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { ConsoleState } from './console-store.ts'
import { firstHeld } from './log-buffer.ts'

/** What is above the oldest line: `end` is the start of what the node keeps, with the number of lines lost before it. */
export type OlderState =
  | { readonly kind: 'none' }
  | { readonly kind: 'more' }
  | { readonly kind: 'asking' }
  /** The page holds as many lines as it can. */
  | { readonly kind: 'full' }
  | { readonly kind: 'end'; readonly lost: number }

/** What the page can say of older lines, from what it holds and what the node said. */
export const olderState = (state: Pick<ConsoleState, 'log' | 'older' | 'askedBefore' | 'link'>): OlderState => {
  const first = firstHeld(state.log)
  if (!Number.isFinite(first)) return { kind: 'none' }
  if (state.older.kind === 'end') return state.older
  if (first <= 1) return { kind: 'end', lost: 0 }
  if (state.log.entries.length >= PANEL_LIMITS.linesShown) return { kind: 'full' }
  if (state.link.kind !== 'live') return { kind: 'none' }
  return state.askedBefore === first ? { kind: 'asking' } : { kind: 'more' }
}

type OlderInput = {
  state: ConsoleState
  send: (message: PanelClientMessage) => boolean
  asked: (before: number) => void
}

/** Asks for the lines before the oldest one; one question at a time. */
export const useOlder = ({ state, send, asked }: OlderInput): { older: OlderState; ask: () => void } => {
  const older = olderState(state)
  const first = firstHeld(state.log)
  const ask = () => {
    if (older.kind !== 'more') return
    const limit = PANEL_LIMITS.historyPageLines
    if (send({ event: 'send history', args: [{ before: first, limit }] })) asked(first)
  }
  return { older, ask }
}
