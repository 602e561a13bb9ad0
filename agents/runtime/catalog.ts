import { AgentError } from '../platform/agent-error.ts'
import { ProcessTable } from '../stats/process-table.ts'
import { openDocker, type DockerDeps, type DockerSettings } from './docker/open-docker.ts'
import { FakeDriver, FakeWorld } from './fake/fake-driver.ts'
import { ProcessDriver } from './process/process-driver.ts'
import { probeOwnUser } from './process/user-probe.ts'
import type { RuntimeDriver } from './runtime-driver.ts'

export interface RuntimeSettings extends DockerSettings {
  readonly name: 'process' | 'docker' | 'fake'
  readonly isProduction: boolean
  readonly isSingleTenant: boolean
  /** True under `npm start`, which shows the agent's warnings to the person who started it. */
  readonly isSupervised: boolean
  readonly uidBase: number
  readonly shimCommand: readonly string[]
  /** Files that a server's user must be able to read. */
  readonly programFiles: readonly string[]
}

const SHARED_KERNEL =
  'The process runtime limits neither memory nor CPU and separates no networks: it is for one tenant.'

/** The only place that names drivers. Throws an AgentError when the settings ask for what is not safe. */
export const openRuntime = async (settings: RuntimeSettings, deps: DockerDeps): Promise<RuntimeDriver> => {
  if (settings.name === 'docker') return openDocker(settings, deps)
  if (settings.name === 'fake') {
    if (settings.isProduction) throw new AgentError('RUNTIME_REFUSED', 'The fake runtime is refused in production.')
    return new FakeDriver(new FakeWorld(), deps.clock)
  }
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
    clock: deps.clock,
    timers: deps.timers,
    processes: new ProcessTable(deps.clock),
    shimCommand: settings.shimCommand,
    ownUser: ownUser.possible,
    warnings: ownUser.reason === null ? [SHARED_KERNEL] : [SHARED_KERNEL, ownUser.reason],
  })
}
