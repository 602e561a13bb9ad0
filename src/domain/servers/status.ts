import type { ServerState } from './server-lifecycle.ts'

/** The status words of specification section 4. */
export const SERVER_WORDS = [
  'starting',
  'offline',
  'healthy',
  'running',
  'stopping',
  'suspended',
  'installing',
  'crashed',
  'error on startup',
  'nodeoffline',
  'unknown',
] as const
export type ServerWord = (typeof SERVER_WORDS)[number]

/** Labels are keys of the message catalog under `status`. */
export type StatusLabel =
  | 'starting'
  | 'stopped'
  | 'running'
  | 'stopping'
  | 'suspended'
  | 'installing'
  | 'crashed'
  | 'errorOnStartup'
  | 'maintenance'
  | 'unknown'
  | 'expired'
export type LampColour = 'green' | 'amber' | 'red' | 'pale'
export type LampShape = 'triangle' | 'disc-arrow' | 'half-turning' | 'square' | 'ring' | 'dashed-ring' | 'bar'
export type Status = {
  readonly word: ServerWord
  readonly label: StatusLabel
  readonly colour: LampColour
  readonly shape: LampShape
}

/**
 * One row for each word. Running and healthy are green, offline pale, starting and installing amber, all others red.
 */
export const STATUS_BY_WORD: Readonly<Record<ServerWord, Status>> = Object.freeze({
  running: { word: 'running', label: 'running', colour: 'green', shape: 'disc-arrow' },
  healthy: { word: 'healthy', label: 'stopped', colour: 'green', shape: 'ring' },
  offline: { word: 'offline', label: 'stopped', colour: 'pale', shape: 'ring' },
  starting: { word: 'starting', label: 'starting', colour: 'amber', shape: 'half-turning' },
  installing: { word: 'installing', label: 'installing', colour: 'amber', shape: 'half-turning' },
  stopping: { word: 'stopping', label: 'stopping', colour: 'red', shape: 'half-turning' },
  suspended: { word: 'suspended', label: 'suspended', colour: 'red', shape: 'bar' },
  crashed: { word: 'crashed', label: 'crashed', colour: 'red', shape: 'square' },
  'error on startup': { word: 'error on startup', label: 'errorOnStartup', colour: 'red', shape: 'square' },
  nodeoffline: { word: 'nodeoffline', label: 'maintenance', colour: 'red', shape: 'dashed-ring' },
  unknown: { word: 'unknown', label: 'unknown', colour: 'red', shape: 'dashed-ring' },
})

/** The words that people read: an expired server waits for its deletion, whatever its program did last. */
export type ShownWord = ServerWord | 'expired'
export const SHOWN_STATUS: Readonly<Record<ShownWord, Omit<Status, 'word'>>> = Object.freeze({
  ...STATUS_BY_WORD,
  expired: { label: 'expired', colour: 'amber', shape: 'triangle' },
})

/** The displayed word of a server at a given time. A suspension takes precedence over the expiry. */
export const shownWordOf = (server: { status: ServerWord; expiry: string }, nowMs: number): ShownWord =>
  server.status !== 'suspended' && Date.parse(server.expiry) <= nowMs ? 'expired' : server.status

const WORD_BY_STATE: Readonly<Record<ServerState, ServerWord>> = Object.freeze({
  creating: 'installing',
  installing: 'installing',
  install_failed: 'error on startup',
  offline: 'offline',
  healthy: 'healthy',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
  crashed: 'crashed',
  startup_failed: 'error on startup',
  deleting: 'stopping',
  deleted: 'offline',
  unknown: 'unknown',
})

/**
 * The displayed status: internal state x suspended x node reachable (architecture section 7). Suspension takes
 * precedence, then an unreachable node, then the state.
 */
export function statusOf(facts: { state: ServerState; suspended: boolean; nodeReachable: boolean }): Status {
  if (facts.suspended) return STATUS_BY_WORD.suspended
  if (!facts.nodeReachable) return STATUS_BY_WORD.nodeoffline
  return STATUS_BY_WORD[WORD_BY_STATE[facts.state]]
}

/**
 * Live statistics take precedence over the list entry; without either the server counts as installing (specification
 * section 4).
 */
export function shownWord(stats: ServerWord | undefined, list: ServerWord | undefined): ServerWord {
  return stats ?? list ?? 'installing'
}
