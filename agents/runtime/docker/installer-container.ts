import {
  bindOf,
  confinement,
  memoryDisks,
  programOf,
  type ContainerInput,
  type CreateBody,
} from './container-options.ts'

/** The server's folder as seen by installation programs. Templates expect it there. */
export const INSTALLER_HOME = '/mnt/server'
/** The path of the operator's certificates, if the node has any. */
export const INSTALLER_CERTIFICATES = '/etc/ssl/bakter-ca.pem'

const TEMPORARY_MIB = 512
/** An installation unpacks and compiles, so it gets more than a small server would. */
const LEAST_MEMORY_MIB = 1_024
const LEAST_CPU_PERCENT = 100
const PIDS = 512

/**
 * Real installation programs use a package manager, which changes owners and users; all other capabilities are dropped.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']

export interface InstallerContainerInput extends ContainerInput {
  /**
   * The operator's certificates on the node (AGENT_CA_BUNDLE): the only file mounted besides the server's folder, read
   * only.
   */
  readonly caBundle: string | null
}

/**
 * The container of an installation program, from plain values alone: root inside, but without the means to become root
 * outside, with its own network and no published ports. tests/unit/agents/runtime/docker compares its every key with a
 * written list. The driver ends it after its time-out.
 */
export const installerContainer = (input: InstallerContainerInput): CreateBody => {
  const limits = {
    ...input.limits,
    memoryMiB: Math.max(LEAST_MEMORY_MIB, input.limits.memoryMiB),
    cpuPercent: Math.max(LEAST_CPU_PERCENT, input.limits.cpuPercent),
    pids: PIDS,
  }
  const certificates = input.caBundle === null ? [] : [bindOf(input.caBundle, INSTALLER_CERTIFICATES, true)]
  return {
    ...programOf(input),
    Hostname: 'installer',
    User: '0:0',
    WorkingDir: INSTALLER_HOME,
    StopSignal: 'SIGKILL',
    StopTimeout: 1,
    ExposedPorts: {},
    HostConfig: {
      ...confinement(limits, limits.memoryMiB),
      CapAdd: [...CAPABILITIES],
      ReadonlyRootfs: false,
      Mounts: [bindOf(input.rootFolder, INSTALLER_HOME, false), ...certificates],
      Tmpfs: memoryDisks(input.imageVolumes, TEMPORARY_MIB),
      NetworkMode: input.network,
      PortBindings: {},
    },
  }
}
