import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'

export const SERVER_ID = '01990000-0000-7000-8000-000000000001'
export const NODE_ID = '01990000-0000-7000-8000-00000000aaaa'
/** The session of the console tokens that the control plane's stand-in signs. */
export const SESSION_ID = '01990000-0000-7000-8000-00000000dddd'
export const USER_ID = '01990000-0000-7000-8000-00000000bbbb'

let commands = 0
/** A new id in the form of a version 7 uuid. */
export const nextId = (): string => {
  commands += 1
  return `01990000-0000-7000-9000-${commands.toString(16).padStart(12, '0')}`
}

/** A server that runs the project's own test game. */
export const buildServerSpec = (change: Partial<ServerSpec> = {}): ServerSpec => ({
  id: SERVER_ID,
  identifier: 'acdefghj',
  generation: 1,
  name: 'Test server',
  image: null,
  install: [{ argv: ['node', '{{program:test-game-install}}'], timeoutMs: 60_000 }],
  startup: { argv: ['node', '{{program:test-game}}'] },
  doneTexts: ['Done! The game is open'],
  stop: { kind: 'command', line: 'stop' },
  stopTimeoutMs: 5_000,
  environment: {},
  allocations: [{ ip: '127.0.0.1', port: 25_565, primary: true }],
  limits: { cpuPercent: 100, memoryMiB: 512, storageMiB: 2_048, pids: 512 },
  suspended: false,
  ...change,
})
