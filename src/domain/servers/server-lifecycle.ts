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

/** Whether a process of the server exists in this state. */
export const isAlive = (state: ServerState): boolean =>
  state === 'starting' || state === 'running' || state === 'stopping'
