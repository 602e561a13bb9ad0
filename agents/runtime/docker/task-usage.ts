import { isAlive } from '../../platform/process-identity.ts'
import { kernelFiles, locateCgroup, sampleCgroup, type CgroupPlace } from './cgroup.ts'
import type { TaskSample } from '../driver/runtime-driver.ts'
import type { DockerEngine } from './engine.ts'
import { sampleByEngine } from './engine-stats.ts'
import type { DockerStart } from './task-record.ts'

/** The usage of tasks, from the kernel's files if accessible: independent of a hanging engine. */
export class TaskUsage {
  readonly #engine: DockerEngine
  readonly #places = new Map<string, CgroupPlace>()

  constructor(engine: DockerEngine) {
    this.#engine = engine
  }

  /** Undefined when the task's first process is gone, or the engine does not report. */
  async of(taskId: string, start: DockerStart): Promise<Omit<TaskSample, 'uptimeMs'> | undefined> {
    const place = this.#places.get(taskId) ?? locateCgroup(kernelFiles, start.pid)
    if (place === undefined) return sampleByEngine(this.#engine, start.containerId)
    this.#places.set(taskId, place)
    return isAlive(start) ? sampleCgroup(kernelFiles, place) : undefined
  }

  forget(taskId: string): void {
    this.#places.delete(taskId)
  }
}
