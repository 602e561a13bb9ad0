import { lifetimePhase } from '../billing/lifetime.ts'
import { isAlive, type ServerState } from './server-lifecycle.ts'

export type ArchiveRefusalCode =
  'FORBIDDEN' | 'SERVER_DELETED' | 'SERVER_SUSPENDED' | 'NOT_EXPIRED' | 'STILL_RUNNING' | 'INVALID_STATE'

/** Times in epoch milliseconds. */
export type ArchiveFacts = {
  readonly owns: boolean
  readonly isAdmin: boolean
  readonly state: ServerState
  /** The server is being or has been deleted. */
  readonly deleting: boolean
  readonly suspended: boolean
  readonly expiresAtMs: number
  readonly nowMs: number
}

const NOTHING_TO_TAKE: readonly ServerState[] = ['creating', 'installing', 'deleting', 'deleted', 'unknown']

/**
 * Why the archive of a server is not available, or undefined if it is: for its owner or an administrator, once the paid
 * time has ended and while the files are kept, also for tests. A running world would be inconsistent, so the server
 * must have stopped. The archive of a suspended server is for administrators only, as its console is (issue 5;
 * invariant S-5). If a server is kept longer than 72 h, because its owner was notified late, the archive is available
 * until the deletion.
 */
export function archiveRefusal(facts: ArchiveFacts): ArchiveRefusalCode | undefined {
  const { owns, isAdmin, state, suspended, expiresAtMs, nowMs } = facts
  if (!owns && !isAdmin) return 'FORBIDDEN'
  if (facts.deleting) return 'SERVER_DELETED'
  if (suspended && !isAdmin) return 'SERVER_SUSPENDED'
  if (lifetimePhase(expiresAtMs, nowMs) === 'active') return 'NOT_EXPIRED'
  if (isAlive(state)) return 'STILL_RUNNING'
  return NOTHING_TO_TAKE.includes(state) ? 'INVALID_STATE' : undefined
}
