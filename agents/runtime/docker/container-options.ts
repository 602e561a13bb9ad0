import path from 'node:path'

/** The plain inputs of both kinds of container. */
export interface ContainerInput {
  readonly name: string
  /** Id of a present image: a reference could point elsewhere a moment later. */
  readonly imageId: string
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The server's folder on the node: the only part of the node visible in the container. */
  readonly rootFolder: string
  readonly network: string
  readonly labels: Readonly<Record<string, string>>
  /** Volumes declared by the image; each becomes a small tmpfs, so that none grows on the node. */
  readonly imageVolumes: readonly string[]
  readonly limits: ContainerLimits
}

export interface ContainerLimits {
  readonly memoryMiB: number
  /** Swap on top of the memory. */
  readonly swapMiB: number
  /** 100 is one core. */
  readonly cpuPercent: number
  readonly pids: number
  /** 10 to 1000, for disks with a weighing scheduler; null for the engine's default. */
  readonly ioWeight: number | null
}

export interface PortBinding {
  readonly HostIp: string
  readonly HostPort: string
}

/** The body of the engine's "create container", with only the fields that Bakter sets. */
export interface CreateBody {
  readonly name: string
  readonly Image: string
  readonly Hostname: string
  readonly User: string
  readonly Entrypoint: string[]
  readonly Cmd: string[]
  readonly Env: string[]
  readonly WorkingDir: string
  readonly Labels: Record<string, string>
  readonly Tty: boolean
  readonly OpenStdin: boolean
  readonly StdinOnce: boolean
  readonly AttachStdin: boolean
  readonly AttachStdout: boolean
  readonly AttachStderr: boolean
  readonly StopSignal: string
  readonly StopTimeout: number
  readonly Healthcheck: { readonly Test: string[] }
  readonly ExposedPorts: Record<string, object>
  readonly HostConfig: HostOptions
}

export interface HostOptions {
  readonly Mounts: readonly BindMount[]
  readonly Tmpfs: Record<string, string>
  readonly NetworkMode: string
  readonly PortBindings: Record<string, PortBinding[]>
  readonly PublishAllPorts: boolean
  readonly Privileged: boolean
  readonly CapDrop: string[]
  readonly CapAdd: string[]
  readonly SecurityOpt: string[]
  readonly ReadonlyRootfs: boolean
  readonly Init: boolean
  readonly IpcMode: string
  readonly PidMode: string
  readonly CgroupnsMode: 'private'
  readonly ShmSize: number
  readonly Memory: number
  readonly MemoryReservation: number
  readonly MemorySwap: number
  readonly OomKillDisable: boolean
  readonly CpuPeriod: number
  readonly CpuQuota: number
  readonly PidsLimit: number
  readonly BlkioWeight: number
  readonly Ulimits: readonly { readonly Name: string; readonly Soft: number; readonly Hard: number }[]
  readonly LogConfig: { readonly Type: string; readonly Config: Record<string, string> }
  readonly RestartPolicy: { readonly Name: string; readonly MaximumRetryCount: number }
  readonly AutoRemove: boolean
}

export interface BindMount {
  readonly Type: 'bind'
  readonly Source: string
  readonly Target: string
  readonly ReadOnly: boolean
  readonly BindOptions: { readonly Propagation: 'rprivate' }
}

const MIB = 1024 * 1024
const SHARED_MEMORY_MIB = 64
/** Enough for any game, and below the limits of small engines. */
const OPEN_FILES = 8_192
const TEMPORARY_FOLDER = path.posix.join('/', 'tmp')
const CPU_PERIOD_US = 100_000
/** The kernel refuses a smaller quota, and the engine smaller memory. */
const LEAST_CPU_PERCENT = 1
const LEAST_MEMORY_MIB = 6

/**
 * The engine writes a container's output into a file that the agent reads by offset. The file is not rotated within the
 * size of the console's ring on disk, and one older file is kept for a reader that is behind.
 */
export const LOG_FILE_MIB = 16
export const LOG_FILES = 2

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Mounts a folder or file of the node at `target`; later mounts on either side stay invisible to the other. */
export const bindOf = (source: string, target: string, isReadOnly: boolean): BindMount => ({
  Type: 'bind',
  Source: source,
  Target: target,
  ReadOnly: isReadOnly,
  BindOptions: { Propagation: 'rprivate' },
})

/**
 * The container's own temporary folder, in memory. It allows executables, because game servers unpack native libraries
 * there.
 */
export const memoryDisks = (imageVolumes: readonly string[], temporaryMiB: number): Record<string, string> => ({
  ...Object.fromEntries(imageVolumes.map((volume) => [volume, 'rw,nosuid,nodev,noexec,size=16m'])),
  [TEMPORARY_FOLDER]: `rw,exec,nosuid,nodev,size=${temporaryMiB}m,mode=1777`,
})

/** A variable that the engine would split or refuse is dropped. */
const environmentList = (environment: Readonly<Record<string, string>>): string[] =>
  Object.entries(environment)
    .filter(([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !value.includes('\0'))
    .map(([name, value]) => `${name}=${value}`)

/** Limits, isolation and log: the same for both kinds of container. `memoryMiB` is the hard limit. */
export const confinement = (limits: ContainerLimits, memoryMiB: number) => {
  const memory = Math.round(Math.max(LEAST_MEMORY_MIB, memoryMiB) * MIB)
  const reserved = Math.round(within(limits.memoryMiB, LEAST_MEMORY_MIB, memory / MIB) * MIB)
  return {
    Privileged: false,
    PublishAllPorts: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
    Init: true,
    IpcMode: 'private',
    PidMode: '',
    CgroupnsMode: 'private' as const,
    ShmSize: SHARED_MEMORY_MIB * MIB,
    Memory: memory,
    MemoryReservation: reserved,
    MemorySwap: memory + Math.round(Math.max(0, limits.swapMiB) * MIB),
    OomKillDisable: false,
    CpuPeriod: CPU_PERIOD_US,
    CpuQuota: Math.round((Math.max(LEAST_CPU_PERCENT, limits.cpuPercent) / 100) * CPU_PERIOD_US),
    PidsLimit: within(Math.round(limits.pids), 8, 4_096),
    BlkioWeight: limits.ioWeight === null ? 0 : within(Math.round(limits.ioWeight), 10, 1_000),
    Ulimits: [
      { Name: 'nofile', Soft: OPEN_FILES, Hard: OPEN_FILES },
      { Name: 'core', Soft: 0, Hard: 0 },
    ],
    LogConfig: { Type: 'json-file', Config: { 'max-size': `${LOG_FILE_MIB}m`, 'max-file': String(LOG_FILES) } },
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
    AutoRemove: false,
  }
}

/**
 * The common beginning of both bodies: the program as literal arguments, without a terminal. Standard input stays open
 * across the agent's connections, and errors stay a separate stream.
 */
export const programOf = (input: ContainerInput) => ({
  name: input.name,
  Image: input.imageId,
  Entrypoint: [...input.argv],
  Cmd: [] as string[],
  Env: environmentList(input.environment),
  Labels: { ...input.labels },
  Tty: false,
  OpenStdin: true,
  StdinOnce: false,
  AttachStdin: false,
  AttachStdout: false,
  AttachStderr: false,
  // The image's own health check would run an unwanted program.
  Healthcheck: { Test: ['NONE'] },
})
