/** Two tabs that refresh at once: the second one's token is old by at most this much. Security case 19. */
export const GRACE_MS = 10_000

export type RefreshState = {
  /** The presented token, or undefined when nobody was given it. */
  readonly token?: { readonly expiresAtMs: number; readonly usedAtMs: number | null } | undefined
  readonly session?: { readonly expiresAtMs: number; readonly endedAtMs: number | null } | undefined
  /** How many tokens were already given for the presented one. */
  readonly successors: number
}

export type RefreshDecision =
  /** Trade it: mark it used and give a new one. */
  | 'rotate'
  /** It was traded a moment ago: give a sibling of that answer. */
  | 'repeat'
  /** Somebody holds a copy: end the whole family. */
  | 'reused'
  | 'expired'
  | 'unknown'

const MAX_SIBLINGS = 5

/** Decides what a presented refresh token is worth at `nowMs`. Times in epoch milliseconds. */
export const decideRefresh = ({ token, session, successors }: RefreshState, nowMs: number): RefreshDecision => {
  if (!token || !session) return 'unknown'
  if (session.endedAtMs !== null || session.expiresAtMs <= nowMs || token.expiresAtMs <= nowMs) return 'expired'
  if (token.usedAtMs === null) return 'rotate'
  return nowMs - token.usedAtMs <= GRACE_MS && successors < MAX_SIBLINGS ? 'repeat' : 'reused'
}
