import type { PortCheck, ServerPort } from '#contracts/http/panel/ports.ts'
import type { NodePorts } from '#contracts/panel/node-ports.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import type { LampKind } from '@/ui/signs/lamp.tsx'

/**
 * Whether a program listens on a port, as far as the page knows. `off`: the server does not run. `waits`: its program was started before it had the
 * port. `away`: the machine does not answer. `unseen`: the machine cannot see into the program's network.
 */
export type Listening = 'reading' | 'off' | 'waits' | 'away' | 'unseen' | 'both' | 'tcp' | 'udp' | 'none'

type Look = { readonly data: NodePorts | undefined; readonly isError: boolean }

const RUNS: readonly ServerWord[] = ['running', 'starting', 'stopping']

/** The state of a port from the last look of its machine. A look that failed since counts more than an old answer. */
export const listeningOf = (
  { port, waitsForRestart }: Pick<ServerPort, 'port' | 'waitsForRestart'>,
  { data, isError }: Look,
  word: ServerWord,
): Listening => {
  if (word === 'nodeoffline' || (isError && data === undefined)) return 'away'
  if (!RUNS.includes(word)) return 'off'
  if (isError) return 'away'
  if (waitsForRestart) return 'waits'
  if (data === undefined) return 'reading'
  const seen = data.ports.find((each) => each.port === port)
  if (seen === undefined || seen.tcp === null || seen.udp === null) return 'unseen'
  if (seen.tcp) return seen.udp ? 'both' : 'tcp'
  return seen.udp ? 'udp' : 'none'
}

export const LISTENING_LAMPS: Readonly<Record<Listening, LampKind>> = {
  reading: 'busy',
  off: 'off',
  waits: 'due',
  away: 'away',
  unseen: 'off',
  both: 'go',
  tcp: 'go',
  udp: 'go',
  none: 'due',
}

/** Whether the port can be reached from outside, as far as it was checked. */
export type Outside = 'unchecked' | 'checking' | 'failed' | PortCheck['tcp']

export const OUTSIDE_LAMPS: Readonly<Record<Outside, LampKind>> = {
  unchecked: 'off',
  checking: 'busy',
  failed: 'away',
  open: 'go',
  closed: 'crash',
  silent: 'crash',
}

/** The advice for a port; the most likely reason why players cannot connect comes first. */
export type Advice = 'away' | 'off' | 'waits' | 'none' | 'ready' | 'udp' | 'closed' | 'silent' | 'unchecked' | 'reading'

/** The advice about a port now. */
export const adviceOf = (listening: Listening, outside: Outside): Advice => {
  if (listening === 'away' || listening === 'off' || listening === 'waits' || listening === 'none') return listening
  if (outside === 'open') return 'ready'
  if (listening === 'udp') return 'udp'
  if (outside === 'closed' || outside === 'silent') return outside
  return listening === 'reading' ? 'reading' : 'unchecked'
}
