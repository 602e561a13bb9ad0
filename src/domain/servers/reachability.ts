/** A node's session that was not renewed for this long has ended; the node counts as unreachable. */
export const SESSION_LEASE_MS = 30_000

/** Whether a node is reachable, by the last renewal of its session; `undefined` for one that never connected. */
export const isReachableAt = (renewedAtMs: number | undefined, nowMs: number): boolean =>
  renewedAtMs !== undefined && renewedAtMs > nowMs - SESSION_LEASE_MS
