import { isAlive, type ServerState } from './server-lifecycle.ts'

export type PowerAction = 'start' | 'stop' | 'restart' | 'kill'
export type PowerRefusalCode =
  'SERVER_SUSPENDED' | 'SERVER_EXPIRED' | 'SERVER_START_DISABLED' | 'POWER_ACTION_RUNNING' | 'INVALID_STATE'

export type PowerFacts = {
  readonly action: PowerAction
  readonly state: ServerState
  readonly installed: boolean
  /** The server is being deleted. */
  readonly deleting: boolean
  readonly suspended: boolean
  readonly expired: boolean
  /** The switch 'server start', which does not apply to staff (clarifications part 4). */
  readonly startingAllowed: boolean
  /** Open commands of this server. */
  readonly openCommands: readonly { readonly kind: string; readonly action: string | null }[]
}

const startsAProcess = (action: PowerAction): boolean => action === 'start' || action === 'restart'

/**
 * Why a power action is refused, or undefined if it may be sent. Reasons that a customer can act on come first. Kill
 * may overtake a hanging stop; nothing else overtakes a power action.
 */
export function powerRefusal(facts: PowerFacts): PowerRefusalCode | undefined {
  const { action, state } = facts
  if (startsAProcess(action)) {
    if (facts.suspended) return 'SERVER_SUSPENDED'
    if (facts.expired) return 'SERVER_EXPIRED'
    if (!facts.startingAllowed) return 'SERVER_START_DISABLED'
  }
  if (facts.deleting || !facts.installed) return 'INVALID_STATE'
  if (!isPossible(action, state)) return 'INVALID_STATE'
  return openRefusal(facts)
}

function isPossible(action: PowerAction, state: ServerState): boolean {
  if (state === 'unknown' || state === 'installing' || state === 'creating' || state === 'deleting') return false
  if (state === 'deleted' || state === 'install_failed') return false
  if (action === 'start') return !isAlive(state)
  if (action === 'restart') return state !== 'stopping'
  if (action === 'stop') return state === 'starting' || state === 'running'
  return isAlive(state)
}

function openRefusal({ action, openCommands }: PowerFacts): PowerRefusalCode | undefined {
  const power = openCommands.filter((command) => command.kind === 'power')
  if (openCommands.some((command) => command.kind !== 'power' && command.kind !== 'update')) return 'INVALID_STATE'
  if (power.length === 0) return undefined
  const killRuns = power.some((command) => command.action === 'kill')
  return action === 'kill' && !killRuns ? undefined : 'POWER_ACTION_RUNNING'
}
