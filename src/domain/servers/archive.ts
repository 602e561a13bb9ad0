import { lifetimePhase } from '../billing/lifetime.ts'
import { isAlive, type ServerState } from './server-lifecycle.ts'

export type ArchiveRefusalCode =
  'FORBIDDEN' | 'SERVER_DELETED' | 'SERVER_SUSPENDED' | 'NOT_EXPIRED' | 'STILL_RUNNING' | 'INVALID_STATE'

/** Times in milliseconds since 1970. */
export type ArchiveFacts = {
  readonly owns: boolean
  readonly isAdmin: boolean
  readonly state: ServerState
  /** The server is to be deleted, or deleted. */
  readonly deleting: boolean
  readonly suspended: boolean
  readonly expiresAtMs: number
  readonly nowMs: number
}

const NOTHING_TO_TAKE: readonly ServerState[] = ['creating', 'installing', 'deleting', 'deleted', 'unknown']

/**
 * Why the folder of a server may not be taken as an archive, or undefined when it may: by its owner or an administrator, once the paid
 * time is over and as long as the files are kept, tests too. A world that runs would be torn, so it must have stopped. What is
 * suspended is taken by administrators alone, as its console is (issue 5; invariant S-5). A server that is kept longer than
 * 72 h, because its owner was told late, can be taken until it is deleted.
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
