import type { TaskHandle } from '../driver/task-handle.ts'

/** Labels of everything that this agent makes in the engine. Neither a template nor a customer can set one. */
export const LABEL = {
  installation: 'bakter.installation',
  node: 'bakter.node',
  server: 'bakter.server',
  task: 'bakter.task',
  kind: 'bakter.kind',
} as const

/** Who makes containers here: a random id of the agent's data folder, and the node's id where it is known. */
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

/** The name makes a second container of the same task impossible. It can be guessed, so it proves nothing: labels do. */
export const containerName = (owner: Owner, handle: TaskHandle): string =>
  `bakter-${owner.installation.slice(-12)}-${handle.taskId}`

/** True when the labels say that this agent made the container for this very task. */
export const isOwn = (
  owner: Owner,
  handle: TaskHandle,
  labels: Readonly<Record<string, string>> | undefined,
): boolean =>
  labels?.[LABEL.installation] === owner.installation &&
  labels[LABEL.task] === handle.taskId &&
  labels[LABEL.server] === handle.serverId
