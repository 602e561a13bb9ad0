import type { TaskHandle } from '../driver/task-handle.ts'

/** Labels of everything that this agent creates in the engine. Neither a template nor a customer can set one. */
export const LABEL = {
  installation: 'bakter.installation',
  node: 'bakter.node',
  server: 'bakter.server',
  task: 'bakter.task',
  kind: 'bakter.kind',
} as const

/** The creator of containers here: a random id of the agent's data folder, and the node's id if it is known. */
export interface Owner {
  readonly installation: string
  readonly node: string
}

/** The labels of a container that runs `handle`. */
export const labelsOf = (owner: Owner, handle: TaskHandle): Record<string, string> => ({
  [LABEL.installation]: owner.installation,
  [LABEL.node]: owner.node,
  [LABEL.server]: handle.serverId,
  [LABEL.task]: handle.taskId,
  [LABEL.kind]: handle.kind,
})

/** The name prevents a second container of the same task. It can be guessed, so it proves nothing: labels do. */
export const containerName = (owner: Owner, handle: TaskHandle): string =>
  `bakter-${owner.installation.slice(-12)}-${handle.taskId}`

/** Whether the labels say that this agent created the container for this very task. */
export const isOwn = (
  owner: Owner,
  handle: TaskHandle,
  labels: Readonly<Record<string, string>> | undefined,
): boolean =>
  labels?.[LABEL.installation] === owner.installation &&
  labels[LABEL.task] === handle.taskId &&
  labels[LABEL.server] === handle.serverId
