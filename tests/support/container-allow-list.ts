import path from 'node:path'

import type { ContainerInspectInfo } from 'dockerode'

export interface ExpectedContainer {
  readonly imageId: string
  readonly serverId: string
  readonly root: string
  readonly uid: number
  readonly address: { readonly ip: string; readonly port: number }
  readonly limits: { readonly memoryMiB: number; readonly cpuPercent: number; readonly pids: number }
  /** Names of the whole environment: of template, agent and image. */
  readonly environment: readonly string[]
}

type Options = Readonly<Record<string, unknown>>

const MIB = 1024 * 1024

/** Options that an engine sets by itself and that only confine. */
const ENGINE_OWN = ['MaskedPaths', 'ReadonlyPaths', 'Runtime', 'ConsoleSize'] as const
/** Paths that every engine hides from a container or makes read-only. */
const HIDDEN = ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/scsi', '/sys/firmware']
const ONLY_READ = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === 0 || value === false || isEmptyObject(value)
const isEmptyObject = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0

/** The options that differ from an unset one, and every listed option, empty or not. */
const saidOf = (told: Options, listed: Options): Options =>
  Object.fromEntries(Object.entries(told).filter(([key, value]) => key in listed || !isEmpty(value)))

const bindings = ({ ip, port }: ExpectedContainer['address']) =>
  Object.fromEntries(['tcp', 'udp'].map((protocol) => [`${port}/${protocol}`, [{ HostIp: ip, HostPort: `${port}` }]]))

/**
 * Options that must be empty, such as CapAdd, Binds and Devices, are not listed: any option beyond these is a
 * difference.
 */
const hostOptions = (expected: ExpectedContainer): Options => ({
  AutoRemove: false,
  CapDrop: ['ALL'],
  CgroupnsMode: 'private',
  CpuPeriod: 100_000,
  CpuQuota: expected.limits.cpuPercent * 1_000,
  Init: true,
  IpcMode: 'private',
  LogConfig: { Type: 'json-file', Config: { 'max-file': '2', 'max-size': '16m' } },
  Memory: Math.round(expected.limits.memoryMiB * 1.15 * MIB),
  MemoryReservation: expected.limits.memoryMiB * MIB,
  MemorySwap: Math.round(expected.limits.memoryMiB * 1.15 * MIB),
  Mounts: [
    {
      Type: 'bind',
      Source: expected.root,
      Target: '/home/container',
      BindOptions: { Propagation: 'rprivate' },
    },
  ],
  OomKillDisable: false,
  PidsLimit: expected.limits.pids,
  PortBindings: bindings(expected.address),
  Privileged: false,
  PublishAllPorts: false,
  ReadonlyRootfs: true,
  RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
  SecurityOpt: ['no-new-privileges:true'],
  ShmSize: 64 * MIB,
  Tmpfs: { [path.posix.join('/', 'tmp')]: 'rw,exec,nosuid,nodev,size=100m,mode=1777' },
  Ulimits: [
    { Name: 'nofile', Hard: 8_192, Soft: 8_192 },
    { Name: 'core', Hard: 0, Soft: 0 },
  ],
})

const configuration = (expected: ExpectedContainer): Options => ({
  ExposedPorts: Object.fromEntries(Object.keys(bindings(expected.address)).map((key) => [key, {}])),
  Healthcheck: { Test: ['NONE'] },
  Hostname: 'server',
  Image: expected.imageId,
  OpenStdin: true,
  StopSignal: 'SIGINT',
  StopTimeout: 30,
  Tty: false,
  User: `${expected.uid}:${expected.uid}`,
  WorkingDir: '/home/container',
})

/** Random or long values, in a comparable form. */
const pick = (config: ContainerInspectInfo['Config']): Options => {
  const { Entrypoint: entry, Env: environment, Labels: labels, ...rest } = config
  return {
    ...rest,
    // The program itself is an argument: its length does not concern the container.
    entry: [...(entry ?? [])].slice(0, 3),
    environment: environment.map((each) => each.slice(0, each.indexOf('='))).sort(),
    labels: Object.keys(labels).sort(),
  }
}

/**
 * A running server's container as the engine reports it, beside its allow-list. `told` has every option of the engine
 * that is set, so an option that the list does not name makes the two differ.
 */
export function besideAllowList(
  info: ContainerInspectInfo,
  expected: ExpectedContainer,
): { told: object; listed: object } {
  const host = hostOptions(expected)
  const { NetworkMode: network, ...options } = info.HostConfig as unknown as Options
  const engine = Object.fromEntries(ENGINE_OWN.map((key) => [key, options[key]]))
  const rest = Object.fromEntries(
    Object.entries(options).filter(([key]) => !(ENGINE_OWN as readonly string[]).includes(key)),
  )
  const hidden = [engine['MaskedPaths'], engine['ReadonlyPaths']].map((paths) => new Set(paths as string[]))
  const listedConfig: Options = {
    ...configuration(expected),
    entry: ['node', '--input-type=module', '--eval'],
    environment: [...expected.environment].sort(),
    labels: ['installation', 'kind', 'node', 'server', 'task'].map((name) => `bakter.${name}`),
  }
  return {
    told: {
      host: saidOf(rest, host),
      config: saidOf(pick(info.Config), listedConfig),
      mounts: info.Mounts.map(({ Type, Source, Destination, RW, Propagation }) => ({
        Type,
        Source,
        Destination,
        RW,
        Propagation,
      })),
      networks: Object.keys(info.NetworkSettings.Networks),
      networkIsOwn: typeof network === 'string' && network.endsWith(`-${expected.serverId}-server`),
      runtime: engine['Runtime'],
      isHidden: HIDDEN.every((path) => hidden[0]?.has(path)) && ONLY_READ.every((path) => hidden[1]?.has(path)),
    },
    listed: {
      host,
      config: listedConfig,
      mounts: [
        { Type: 'bind', Source: expected.root, Destination: '/home/container', RW: true, Propagation: 'rprivate' },
      ],
      networks: [network],
      networkIsOwn: true,
      runtime: 'runc',
      isHidden: true,
    },
  }
}
