import {
  bindOf,
  confinement,
  memoryDisks,
  programOf,
  type ContainerInput,
  type CreateBody,
  type PortBinding,
} from './container-options.ts'

/** The server's folder as seen by its program. Game images expect it there. */
export const SERVER_HOME = '/home/container'
const TEMPORARY_MIB = 100

export interface ServerContainerInput extends ContainerInput {
  /** The owner of the server's files; never root. */
  readonly uid: number
  /** The node's addresses of the server. */
  readonly ports: readonly { readonly ip: string; readonly port: number }[]
}

/** Programs with a heap of the sold size (Java) need memory beside it; the shares are those of other game panels. */
const withOverhead = (memoryMiB: number): number => {
  if (memoryMiB <= 2_048) return memoryMiB * 1.15
  return memoryMiB <= 4_096 ? memoryMiB * 1.1 : memoryMiB * 1.05
}

const publish = (ports: ServerContainerInput['ports']): Record<string, PortBinding[]> => {
  const bindings: Record<string, PortBinding[]> = {}
  for (const { ip, port } of ports) {
    for (const protocol of ['tcp', 'udp']) {
      const key = `${port}/${protocol}`
      bindings[key] = [...(bindings[key] ?? []), { HostIp: ip, HostPort: String(port) }]
    }
  }
  return bindings
}

/**
 * The container of a running server, from plain values alone. tests/unit/agents/runtime/docker compares its every key
 * with a written list. Throws for a root user, which is a bug of the caller.
 */
export const serverContainer = (input: ServerContainerInput): CreateBody => {
  if (!Number.isInteger(input.uid) || input.uid < 1_000) throw new Error('A server never runs as a user of the system.')
  const bindings = publish(input.ports)
  return {
    ...programOf(input),
    Hostname: 'server',
    User: `${input.uid}:${input.uid}`,
    WorkingDir: SERVER_HOME,
    // Sent by the engine itself at a shutdown of the machine: the mildest step of the stop chain that is a signal.
    StopSignal: 'SIGINT',
    StopTimeout: 30,
    ExposedPorts: Object.fromEntries(Object.keys(bindings).map((key) => [key, {}])),
    HostConfig: {
      ...confinement(input.limits, withOverhead(input.limits.memoryMiB)),
      CapAdd: [],
      ReadonlyRootfs: true,
      Mounts: [bindOf(input.rootFolder, SERVER_HOME, false)],
      Tmpfs: memoryDisks(input.imageVolumes, TEMPORARY_MIB),
      NetworkMode: input.network,
      PortBindings: bindings,
    },
  }
}
