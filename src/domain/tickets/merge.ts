import { canReopen, type TicketProgress } from './ticket-state.ts'

/** The progress of both tickets after a merge. */
export type MergedProgress = { readonly source: TicketProgress; readonly target: TicketProgress }

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/**
 * Both tickets after `source` was merged into `target`, in epoch milliseconds, or why it cannot be done (decision 95). The source is closed. The target
 * waits for staff since the first moment at which either did; a closed one takes the state of the source. One that can no longer be reopened takes
 * nothing, and neither ticket may be merged already.
 */
export const afterMerge = (
  { source, target }: MergedProgress,
  nowMs: number,
): ({ readonly ok: true } & MergedProgress) | { readonly ok: false; readonly code: 'TICKET_CLOSED_LONG' } => {
  if (target.status === 'closed' && !canReopen(target, nowMs)) return { ok: false, code: 'TICKET_CLOSED_LONG' }
  const waitingSinceMs = earlier(source.waitingSinceMs, target.waitingSinceMs)
  const own = target.status === 'closed' ? source.status : target.status
  const status = waitingSinceMs === null ? own : 'open'
  return {
    ok: true,
    source: {
      ...source,
      status: 'closed',
      closedAtMs: source.closedAtMs ?? nowMs,
      waitingSinceMs: null,
      isMerged: true,
    },
    target: { ...target, status, closedAtMs: status === 'closed' ? target.closedAtMs : null, waitingSinceMs },
  }
}

/** Everybody who sees the target afterwards besides its opener: its own people, then those of the source. Ids, each once. */
export const mergedPeople = (source: readonly string[], target: readonly string[]): readonly string[] => [
  ...new Set([...target, ...source]),
]
