import * as z from 'zod'

/**
 * Everything a driver needs to find a task again after the agent was killed. It is written to disk before the task
 * starts. `version` rises when a driver changes its format; an unknown version is treated as a lost task.
 */
export const TaskHandle = z.object({
  version: z.literal(1),
  driver: z.enum(['process', 'fake', 'docker']),
  taskId: z.string().regex(/^[a-zA-Z0-9-]{1,64}$/),
  serverId: z.string(),
  kind: z.enum(['install', 'server']),
})
export type TaskHandle = z.infer<typeof TaskHandle>

export const TaskExit = z.object({
  /** Null when a signal ended the program or the end was not recorded. */
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** The program was ended because its memory limit, or the node's memory, was reached. */
  oomKilled: z.boolean().optional(),
  atMs: z.number(),
})
export type TaskExit = z.infer<typeof TaskExit>
