import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../platform/parse-json.ts'
import type { Disk } from '../../platform/disk.ts'
import { TaskExit } from '../driver/task-handle.ts'

/**
 * The decision about a task: `begin` by the agent that may create its container, `never` for one that can no longer
 * begin.
 */
export const DockerTask = z.object({
  version: z.literal(1),
  kind: z.enum(['install', 'server']),
  fate: z.enum(['begin', 'never']),
  /** Number of the newest console line before the task: later lines with a position belong to the task. */
  afterSeq: z.number().int(),
  timeoutMs: z.number().int().nullable(),
})
export type DockerTask = z.infer<typeof DockerTask>

/**
 * Written once the container runs. `pid` is the container's first process in the node's pid namespace; 0 if it is not
 * visible.
 */
export const DockerStart = z.object({
  version: z.literal(1),
  containerId: z.string(),
  pid: z.number().int(),
  startTicks: z.string(),
  startedAtMs: z.number(),
  logPath: z.string(),
})
export type DockerStart = z.infer<typeof DockerStart>

/** The driver's own records of tasks, in the server's state folder. An unreadable record counts as absent. */
export class TaskRecords {
  readonly #disk: Disk

  constructor(disk: Disk) {
    this.#disk = disk
  }

  /** Returns false when it was decided before. The link makes the file appear complete, once, or not at all. */
  claim(folder: string, task: DockerTask): boolean {
    this.#disk.makeFolder(folder, 0o700)
    const draft = path.join(folder, `docker.json.${process.pid}.tmp`)
    fs.writeFileSync(draft, JSON.stringify(task), { mode: 0o600 })
    try {
      fs.linkSync(draft, path.join(folder, 'docker.json'))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      fs.rmSync(draft, { force: true })
    }
  }

  task(folder: string): DockerTask | undefined {
    return parseJson(DockerTask, this.#disk.read(path.join(folder, 'docker.json')))
  }

  /**
   * Prevents a task that did not begin from ever beginning. If a full disk refuses, the next check repeats it: a
   * claimed task never begins a second time.
   */
  neverBegins(folder: string, task: DockerTask): void {
    try {
      if (this.claim(folder, { ...task, fate: 'never' })) return
      const known = this.task(folder) ?? task
      this.#disk.writeAtomically(path.join(folder, 'docker.json'), JSON.stringify({ ...known, fate: 'never' }))
    } catch {
      // Nothing is lost, as explained above.
    }
  }

  start(folder: string): DockerStart | undefined {
    return parseJson(DockerStart, this.#disk.read(path.join(folder, 'started.json')))
  }

  writeStart(folder: string, start: DockerStart): void {
    this.#disk.writeAtomically(path.join(folder, 'started.json'), JSON.stringify(start))
  }

  exit(folder: string): TaskExit | undefined {
    return parseJson(TaskExit, this.#disk.read(path.join(folder, 'exit.json')))
  }

  writeExit(folder: string, exit: TaskExit): void {
    this.#disk.writeAtomically(path.join(folder, 'exit.json'), JSON.stringify(exit))
  }

  /** Ids of the tasks with records of this driver. */
  list(stateFolder: string): string[] {
    const parent = path.join(stateFolder, 'tasks')
    return this.#disk.list(parent).filter((id) => this.task(path.join(parent, id)) !== undefined)
  }

  remove(folder: string): void {
    this.#disk.remove(folder)
  }
}

export const taskFolder = (stateFolder: string, taskId: string): string => path.join(stateFolder, 'tasks', taskId)
