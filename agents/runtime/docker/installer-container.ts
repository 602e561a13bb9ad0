import {
  bindOf,
  confinement,
  memoryDisks,
  programOf,
  type ContainerInput,
  type CreateBody,
} from './container-options.ts'

/** Where installation programs find the server's folder. Templates expect it there. */
export const INSTALLER_HOME = '/mnt/server'
/** Where the operator's certificates are found, if the node has any. */
export const INSTALLER_CERTIFICATES = '/etc/ssl/bakter-ca.pem'

const TEMPORARY_MIB = 512
/** An installation unpacks and compiles: it gets what a small server would not. */
const LEAST_MEMORY_MIB = 1_024
const LEAST_CPU_PERCENT = 100
const PIDS = 512

/** Real installation programs use a package manager, which changes owners and users; nothing else is given back. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']

export interface InstallerContainerInput extends ContainerInput {
  /** The operator's certificates on the node (AGENT_CA_BUNDLE): the one file beside the server's folder, read only. */
  readonly caBundle: string | null
}

/**
 * The container of an installation program, from plain values alone: root inside, but without the means to become root
 * outside, with a network of its own and nothing published. tests/unit/agents/runtime/docker holds its every key to a
 * written list. The driver ends it when its time is over.
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
