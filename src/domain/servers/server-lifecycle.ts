/** Internal states of a server. `suspended` is a separate flag, never a state (architecture section 7). */
export const SERVER_STATES = [
  'creating',
  'installing',
  'install_failed',
  'offline',
  'healthy',
  'starting',
  'running',
  'stopping',
  'crashed',
  'startup_failed',
  'deleting',
  'deleted',
  'unknown',
] as const
export type ServerState = (typeof SERVER_STATES)[number]

export const SERVER_EVENTS = [
  'install-requested',
  'install-succeeded',
  'install-failed',
  'start-requested',
  'done-text-seen',
  'stop-requested',
  'kill-requested',
  'process-exited',
  'delete-requested',
  'deletion-finished',
  'observation-lost',
] as const
export type ServerEvent = (typeof SERVER_EVENTS)[number]

/**
 * The table of moves; what is not in it cannot happen. `process-exited` while starting is a failed start-up,
 * while running unasked a crash, while stopping the end that was asked for (clarifications part 1, status table).
 */
export const SERVER_MOVES: Readonly<Record<ServerState, Readonly<Partial<Record<ServerEvent, ServerState>>>>> =
  Object.freeze({
    creating: { 'install-requested': 'installing', 'delete-requested': 'deleting', 'observation-lost': 'unknown' },
    installing: {
      'install-succeeded': 'offline',
      'install-failed': 'install_failed',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    install_failed: { 'install-requested': 'installing', 'delete-requested': 'deleting' },
    offline: {
      'start-requested': 'starting',
      'install-requested': 'installing',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    healthy: {
      'start-requested': 'starting',
      'install-requested': 'installing',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    starting: {
      'done-text-seen': 'running',
      'stop-requested': 'stopping',
      'kill-requested': 'stopping',
      'process-exited': 'startup_failed',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    running: {
      'stop-requested': 'stopping',
      'kill-requested': 'stopping',
      'process-exited': 'crashed',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    stopping: {
      'kill-requested': 'stopping',
      'process-exited': 'offline',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    crashed: {
      'start-requested': 'starting',
      'install-requested': 'installing',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    startup_failed: {
      'start-requested': 'starting',
      'install-requested': 'installing',
      'delete-requested': 'deleting',
      'observation-lost': 'unknown',
    },
    deleting: { 'deletion-finished': 'deleted' },
    deleted: {},
    unknown: { 'delete-requested': 'deleting' },
  })

export type Move =
  { readonly ok: true; readonly to: ServerState } | { readonly ok: false; readonly code: 'ILLEGAL_MOVE' }

/** The state after `event` in `from`, or the refusal of a move that the table does not hold. */
export function nextState(from: ServerState, event: ServerEvent): Move {
  const to = SERVER_MOVES[from][event]
  return to ? { ok: true, to } : { ok: false, code: 'ILLEGAL_MOVE' }
}

/** Whether a process of the server exists in this state. */
export const isAlive = (state: ServerState): boolean =>
  state === 'starting' || state === 'running' || state === 'stopping'
