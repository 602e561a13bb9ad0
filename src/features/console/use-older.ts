'use client'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { ConsoleState } from './console-store.ts'
import { firstHeld } from './log/log-buffer.ts'
import type { LogBuffer } from './log/log-buffer.ts'

/**
 * The state above the oldest line: `end` is the beginning of the node's history, with the number of lines lost before
 * it.
 */
export type OlderState =
  | { readonly kind: 'none' }
  | { readonly kind: 'more' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'end'; readonly lost: number }

/** The number before which older lines are requested: the oldest held line, or the next one if none is held. */
const askBefore = (log: LogBuffer): number => {
  const first = firstHeld(log)
  return Number.isFinite(first) ? first : log.lastSeq + 1
}

/** The state of older lines, from the held ones and the node's response. */
export const olderState = (state: Pick<ConsoleState, 'log' | 'older' | 'askedBefore' | 'link'>): OlderState => {
  if (state.log.lastSeq === 0) return { kind: 'none' }
  const before = askBefore(state.log)
  // The former beginning may have been dropped for newer lines since.
  if (state.older.kind === 'end' && before <= state.older.first) return { kind: 'end', lost: state.older.lost }
  if (before <= 1) return { kind: 'end', lost: 0 }
  if (state.link.kind !== 'live') return { kind: 'none' }
  return state.askedBefore === before ? { kind: 'asking' } : { kind: 'more' }
}

type OlderInput = {
  state: ConsoleState
  send: (message: PanelClientMessage) => boolean
  asked: (before: number) => void
  /** Drops the older section. */
  toEnd: () => void
}

export type Older = {
  readonly older: OlderState
  readonly ask: () => void
  /** Leaves an older section for the newest lines, which are requested from the node again. */
  readonly toEnd: () => void
}

/** Leaves an older section for the newest lines, which are requested from the node again. */
export const backToEnd = ({ log, send, asked, toEnd }: Omit<OlderInput, 'state'> & { log: LogBuffer }): void => {
  const before = log.lastSeq + 1
  // Without a link the older section is better than nothing.
  if (!send({ event: 'send history', args: [{ before, limit: PANEL_LIMITS.historyPageLines }] })) return
  toEnd()
  asked(before)
}

/** Requests the lines before the oldest one; one request at a time. */
export const useOlder = ({ state, send, asked, toEnd }: OlderInput): Older => {
  const older = olderState(state)
  return {
    older,
    ask: () => {
      const before = askBefore(state.log)
      if (older.kind !== 'more') return
      if (send({ event: 'send history', args: [{ before, limit: PANEL_LIMITS.historyPageLines }] })) asked(before)
    },
    toEnd: () => backToEnd({ log: state.log, send, asked, toEnd }),
  }
}
