import type { PowerAction } from '#contracts/http/server.ts'
import { PERMISSION_OF_POWER_ACTION } from '#contracts/panel/permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import type { ServerWord } from '#domain/servers/status.ts'

const byWord: Readonly<Record<ServerWord, readonly PowerAction[]>> = {
  running: ['restart', 'stop'],
  starting: ['stop'],
  // Kill is offered only while the server is stopping, because it may lose unsaved data.
  stopping: ['kill'],
  offline: ['start'],
  healthy: ['start'],
  crashed: ['start'],
  'error on startup': ['start'],
  installing: [],
  suspended: [],
  nodeoffline: [],
  unknown: [],
}

/** The permissions for actions that apply in this state, and that the reader lacks. */
export const missingForPower = (
  word: ServerWord,
  permissions: readonly Permission[],
  among: readonly PowerAction[] = byWord[word],
): readonly Permission[] =>
  byWord[word]
    .filter((action) => among.includes(action))
    .map((action) => PERMISSION_OF_POWER_ACTION[action])
    .filter((permission) => !permissions.includes(permission))

/** The power actions that apply in this state and are allowed to the reader. */
export const powerActionsFor = (word: ServerWord, permissions: readonly Permission[]): readonly PowerAction[] =>
  byWord[word].filter((action) => permissions.includes(PERMISSION_OF_POWER_ACTION[action]))

/** Whether an action starts the server, which staff can switch off. */
export const isStart = (action: PowerAction): boolean => action === 'start' || action === 'restart'
