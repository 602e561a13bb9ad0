/** A node's session that nobody has renewed for this long is over; the node counts as unreachable. */
export const SESSION_LEASE_MS = 30_000

/** Whether a node is reachable whose session was renewed then; `undefined` for one that never connected. */
export const isReachableAt = (renewedAtMs: number | undefined, nowMs: number): boolean =>
  renewedAtMs !== undefined && renewedAtMs > nowMs - SESSION_LEASE_MS
