import type { ServerState } from './server-lifecycle.ts'

export type ReinstallRefusalCode = 'SERVER_SUSPENDED' | 'SERVER_EXPIRED' | 'POWER_ACTION_RUNNING' | 'INVALID_STATE'

export type ReinstallFacts = {
  readonly state: ServerState
  /** Whether an installation has ever succeeded. */
  readonly installed: boolean
  readonly deleting: boolean
  readonly suspended: boolean
  readonly expired: boolean
  /** Open commands of this server. */
  readonly openCommands: readonly { readonly kind: string }[]
}

/** A failed reinstallation can be repeated; a failed first installation is refunded and has nothing to repeat. */
const POSSIBLE: ReadonlySet<ServerState> = new Set<ServerState>([
  'offline',
  'healthy',
  'starting',
  'running',
  'crashed',
  'startup_failed',
  'install_failed',
])

/** Why a reinstallation is refused, or undefined if it may be ordered. Reasons that a customer can act on come first. */
export function reinstallRefusal(facts: ReinstallFacts): ReinstallRefusalCode | undefined {
  if (facts.suspended) return 'SERVER_SUSPENDED'
  if (facts.expired) return 'SERVER_EXPIRED'
  if (facts.deleting || !facts.installed) return 'INVALID_STATE'
  const kinds = facts.openCommands.map(({ kind }) => kind)
  if (kinds.some((kind) => kind !== 'power' && kind !== 'update')) return 'INVALID_STATE'
  if (facts.state === 'stopping' || kinds.includes('power')) return 'POWER_ACTION_RUNNING'
  return POSSIBLE.has(facts.state) ? undefined : 'INVALID_STATE'
}
