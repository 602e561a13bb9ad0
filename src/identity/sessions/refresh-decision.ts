/** Two tabs that refresh at once: the second one's token was traded at most this long ago. Security case 19. */
export const GRACE_MS = 10_000

export type RefreshState = {
  /** The presented token, or undefined when it was never issued. */
  readonly token?: { readonly expiresAtMs: number; readonly usedAtMs: number | null } | undefined
  readonly session?: { readonly expiresAtMs: number; readonly endedAtMs: number | null } | undefined
  /** How many tokens were already issued for the presented one. */
  readonly successors: number
}

export type RefreshDecision =
  /** Rotate: mark it used and issue a new one. */
  | 'rotate'
  /** It was rotated just now: issue a sibling of that response's token. */
  | 'repeat'
  /** A copy exists: end the whole family. */
  | 'reused'
  | 'expired'
  | 'unknown'

const MAX_SIBLINGS = 5

/** Decides how to treat a refresh token presented at `nowMs`. Times in epoch milliseconds. */
export const decideRefresh = ({ token, session, successors }: RefreshState, nowMs: number): RefreshDecision => {
  if (!token || !session) return 'unknown'
  if (session.endedAtMs !== null || session.expiresAtMs <= nowMs || token.expiresAtMs <= nowMs) return 'expired'
  if (token.usedAtMs === null) return 'rotate'
  return nowMs - token.usedAtMs <= GRACE_MS && successors < MAX_SIBLINGS ? 'repeat' : 'reused'
}
