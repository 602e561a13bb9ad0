import { lifetimePhase } from '../billing/lifetime.ts'

/** Why nobody changes a server's files, ports and start-up settings now: they can be looked at until it is renewed or released. */
export type ReadOnlyReason = 'suspended' | 'expired'

/** Times in epoch milliseconds. Null while everything may change. */
export const readOnlyReason = (
  { suspended, expiresAtMs }: { readonly suspended: boolean; readonly expiresAtMs: number },
  nowMs: number,
): ReadOnlyReason | null => {
  if (suspended) return 'suspended'
  return lifetimePhase(expiresAtMs, nowMs) === 'active' ? null : 'expired'
}
