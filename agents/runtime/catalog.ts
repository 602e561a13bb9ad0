import { AgentError } from '../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Timers } from '../platform/timers.ts'
import { ProcessTable } from './process/process-table.ts'
import {
  hasRunContainers,
  isDockerUsable,
  openDocker,
  type DockerDeps,
  type DockerSettings,
} from './docker/open-docker.ts'
import { FakeDriver, FakeWorld } from './fake/fake-driver.ts'
import { ProcessDriver } from './process/process-driver.ts'
import { probeOwnUser } from './process/user-probe.ts'
import type { RuntimeDriver } from './driver/runtime-driver.ts'

export interface RuntimeSettings {
  /** Undefined: docker in production when an engine responds, else process. */
  readonly name: 'docker' | 'process' | 'fake' | undefined
  readonly isProduction: boolean
  readonly isSingleTenant: boolean
  /** True under `npm start`, which shows the agent's warnings to the person who started it. */
  readonly isSupervised: boolean
  readonly dataFolder: string
  readonly uidBase: number
  readonly shimCommand: readonly string[]
  /** Files that a server's user must be able to read. */
  readonly programFiles: readonly string[]
  readonly docker: DockerSettings
}

export interface RuntimeDeps extends DockerDeps {
  readonly clock: Clock
  readonly timers: Timers
}

const SHARED_KERNEL =
  'The process runtime limits neither memory nor CPU and separates no networks: it is for one tenant.'

/** A folder whose servers ran in containers never falls back to another driver because the engine starts late. */
const chooseDocker = async (settings: RuntimeSettings, deps: RuntimeDeps): Promise<boolean> => {
  if (settings.name !== undefined) return settings.name === 'docker'
  if (hasRunContainers(deps.disk, settings.dataFolder)) return true
  // A demo changes nothing on the machine outside its folder: docs/decisions/0008-choice-of-runtime.md.
  return settings.isProduction && (await isDockerUsable(settings.docker, deps.timers))
}

/** The only place that names drivers. Throws an AgentError when the configured driver is unsafe or unavailable. */
export const openRuntime = async (settings: RuntimeSettings, deps: RuntimeDeps): Promise<RuntimeDriver> => {
  if (settings.name === 'fake') {
    if (settings.isProduction) throw new AgentError('RUNTIME_REFUSED', 'The fake runtime is refused in production.')
    return new FakeDriver(new FakeWorld(), deps.clock)
  }
  if (await chooseDocker(settings, deps)) return openDocker(settings.docker, deps)
  if (settings.isProduction && !settings.isSingleTenant) {
    const message =
      'The process runtime is for one tenant. Use docker, or set AGENT_SINGLE_TENANT=1 if that is what you want.'
    throw new AgentError('RUNTIME_REFUSED', message)
  }
  const ownUser = probeOwnUser(settings.dataFolder, settings.uidBase, settings.programFiles)
  const runsAsRoot = !ownUser.possible && process.getuid?.() === 0
  if (runsAsRoot && !settings.isSingleTenant && !settings.isSupervised) {
    throw new AgentError('RUNTIME_REFUSED', `${ownUser.reason ?? ''} AGENT_SINGLE_TENANT=1 accepts it as it is.`)
  }
  return new ProcessDriver({
    ...deps,
    processes: new ProcessTable(deps.clock),
    shimCommand: settings.shimCommand,
    ownUser: ownUser.possible,
    warnings: ownUser.reason === null ? [SHARED_KERNEL] : [SHARED_KERNEL, ownUser.reason],
  })
}
