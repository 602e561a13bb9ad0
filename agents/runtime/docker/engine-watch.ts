import type { Log } from '#platform/logger.ts'
import type { Timers } from '../../platform/timers.ts'
import type { DockerEngine } from './engine.ts'
import { followEvents, type EngineEvent } from './event-stream.ts'
import { LABEL } from './labels.ts'
import type { NetworkRepair } from './network-repair.ts'
import type { TaskFollower } from './task-follower.ts'

export interface WatchDeps {
  readonly engine: DockerEngine
  readonly timers: Timers
  readonly log: Log
  readonly repair: NetworkRepair
  /** Followers of containers by the id of their task. */
  readonly followers: ReadonlyMap<string, TaskFollower>
}

const ENDS: ReadonlySet<string> = new Set(['die', 'destroy'])

/** Makes followers check their containers when the engine reports an event, or may have missed one. */
export const watchEngine = (deps: WatchDeps, life: AbortSignal): void => {
  const { followers, repair, log } = deps
  const repairFor = ({ task, exit }: TaskFollower): void => {
    const { handle, folders, start } = task
    if (exit === undefined) void repair.look({ handle, folders, containerId: start.containerId })
  }
  const changed = ({ type, action, attributes }: EngineEvent): void => {
    const own = type === 'container' ? followers.get(attributes[LABEL.task] ?? '') : undefined
    if (action === 'oom') own?.noteOom()
    if (ENDS.has(action)) void own?.look()
    if (type !== 'network' || action !== 'disconnect') return
    for (const follower of followers.values()) {
      if (follower.task.start.containerId === attributes['container']) repairFor(follower)
    }
  }
  const lookAll = (): void => {
    for (const follower of followers.values()) {
      void follower.look()
      repairFor(follower)
    }
  }
  const lost = (reason: string): void =>
    log.warn({ reason }, 'Docker does not answer; its containers are taken to go on')
  followEvents(deps, { event: changed, resync: lookAll, lost }, life)
}
