import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { CreateBody } from '../../../../../agents/runtime/docker/container-options.ts'
import { installerContainer } from '../../../../../agents/runtime/docker/installer-container.ts'
import { LABEL, labelsOf } from '../../../../../agents/runtime/docker/labels.ts'
import { serverContainer } from '../../../../../agents/runtime/docker/server-container.ts'

const ROOT = '/data/servers/acdefghj/root'
const OWNER = { installation: 'installation-1', node: 'node-1' }
const HANDLE = { version: 1, driver: 'docker', taskId: 'task-1', serverId: 'server-1', kind: 'server' } as const

/** Text that people and templates write, with what tries to become something else. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '"; rm -rf /',
    '$(id)',
    '`id`',
    '--privileged',
    '${HOST}',
    '{{config.token}}',
    'a\nb',
    'a\0b',
    '../..',
  ),
)
const name = fc.oneof(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,20}$/), text)
const number = fc.oneof(
  fc.integer({ min: -10, max: 1_000_000 }),
  fc.constantFrom(0, -1, 1, Number.MAX_SAFE_INTEGER, 0.5),
)

const fuzzed = fc.record({
  name: fc.constant('bakter-installation-task-1'),
  imageId: fc.constant('sha256:abc'),
  argv: fc.array(text, { minLength: 1, maxLength: 6 }),
  environment: fc.dictionary(name, text, { maxKeys: 8 }),
  rootFolder: fc.constant(ROOT),
  network: fc.constant('bakter-network'),
  labels: fc.constant(labelsOf(OWNER, HANDLE)),
  imageVolumes: fc.array(fc.constantFrom('/data', '/var/lib/game', '/config'), { maxLength: 3 }),
  limits: fc.record({
    memoryMiB: number,
    swapMiB: number,
    cpuPercent: number,
    pids: number,
    ioWeight: fc.option(number),
  }),
})
const server = fc.record({
  uid: fc.integer({ min: 1_000, max: 2_000_000_000 }),
  ports: fc.array(
    fc.record({
      ip: fc.constantFrom('192.0.2.7', '192.0.2.8', '2001:db8::7'),
      port: fc.integer({ min: 1, max: 65_535 }),
    }),
    { maxLength: 4 },
  ),
})

/** Every key that the body may have. A new one is a decision: it is written here first. */
const BODY_KEYS = [
  'AttachStderr',
  'AttachStdin',
  'AttachStdout',
  'Cmd',
  'Entrypoint',
  'Env',
  'ExposedPorts',
  'Healthcheck',
  'HostConfig',
  'Hostname',
  'Image',
  'Labels',
  'OpenStdin',
  'StdinOnce',
  'StopSignal',
  'StopTimeout',
  'Tty',
  'User',
  'WorkingDir',
  'name',
]
const HOST_KEYS = [
  'AutoRemove',
  'BlkioWeight',
  'CapAdd',
  'CapDrop',
  'CgroupnsMode',
  'CpuPeriod',
  'CpuQuota',
  'Init',
  'IpcMode',
  'LogConfig',
  'Memory',
  'MemoryReservation',
  'MemorySwap',
  'Mounts',
  'NetworkMode',
  'OomKillDisable',
  'PidMode',
  'PidsLimit',
  'PortBindings',
  'Privileged',
  'PublishAllPorts',
  'ReadonlyRootfs',
  'RestartPolicy',
  'SecurityOpt',
  'ShmSize',
  'Tmpfs',
  'Ulimits',
]

/** The options that hold for both kinds, whatever template and customer wrote. */
const expectConfined = (body: CreateBody, target: string): void => {
  expect(Object.keys(body).sort()).toEqual(BODY_KEYS)
  expect(Object.keys(body.HostConfig).sort()).toEqual(HOST_KEYS)
  expect(body.HostConfig).toMatchObject({
    Privileged: false,
    PublishAllPorts: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
    Init: true,
    IpcMode: 'private',
    PidMode: '',
    CgroupnsMode: 'private',
    NetworkMode: 'bakter-network',
    OomKillDisable: false,
    AutoRemove: false,
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
    LogConfig: { Type: 'json-file', Config: { 'max-size': '16m', 'max-file': '2' } },
    ShmSize: 67_108_864,
    Ulimits: [
      { Name: 'nofile', Soft: 8_192, Hard: 8_192 },
      { Name: 'core', Soft: 0, Hard: 0 },
    ],
  })
  expect(body.Labels).toEqual(labelsOf(OWNER, HANDLE))
  expect(body.Labels[LABEL.installation]).toBe(OWNER.installation)
  expect(body).toMatchObject({
    Tty: false,
    OpenStdin: true,
    StdinOnce: false,
    Healthcheck: { Test: ['NONE'] },
    Cmd: [],
  })
  expect(body.HostConfig.Mounts[0]).toEqual({
    Type: 'bind',
    Source: ROOT,
    Target: target,
    ReadOnly: false,
    BindOptions: { Propagation: 'rprivate' },
  })
  for (const options of Object.values(body.HostConfig.Tmpfs)) expect(options).toMatch(/^rw,.*nosuid,nodev/)
  const { Memory, MemorySwap, MemoryReservation, CpuQuota, PidsLimit, BlkioWeight } = body.HostConfig
  for (const value of [Memory, MemorySwap, MemoryReservation, CpuQuota, PidsLimit, BlkioWeight]) {
    expect(Number.isInteger(value)).toBe(true)
  }
  expect(Memory).toBeGreaterThan(0)
  expect(MemorySwap).toBeGreaterThanOrEqual(Memory)
  expect(MemoryReservation).toBeLessThanOrEqual(Memory)
  expect(CpuQuota).toBeGreaterThanOrEqual(1_000)
  expect(PidsLimit).toBeGreaterThanOrEqual(8)
  expect(PidsLimit).toBeLessThanOrEqual(4_096)
  expect(BlkioWeight === 0 || (BlkioWeight >= 10 && BlkioWeight <= 1_000)).toBe(true)
}

/** Every value stays the one literal argument or variable that it is. */
const expectLiteral = (
  body: CreateBody,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): void => {
  expect(body.Entrypoint).toEqual(argv)
  for (const entry of body.Env) {
    const [key = ''] = entry.split('=')
    expect(entry).toBe(`${key}=${environment[key] ?? ''}`)
    expect(entry).not.toContain('\0')
  }
}

describe('container of a server', () => {
  it('holds its allow-list for every template and every field of a customer [case 113, 114]', () => {
    fc.assert(
      fc.property(fuzzed, server, (input, own) => {
        const body = serverContainer({ ...input, ...own })
        expectConfined(body, '/home/container')
        expectLiteral(body, input.argv, input.environment)
        expect(body.User).toBe(`${own.uid}:${own.uid}`)
        expect(body.HostConfig).toMatchObject({ CapAdd: [], ReadonlyRootfs: true })
        expect(body.HostConfig.Mounts).toHaveLength(1)
        const published = Object.entries(body.HostConfig.PortBindings).flatMap(([key, bindings]) =>
          bindings.map(({ HostIp, HostPort }) => `${HostIp} ${HostPort} ${key}`),
        )
        const wanted = own.ports.flatMap(({ ip, port }) =>
          ['tcp', 'udp'].map((protocol) => `${ip} ${port} ${port}/${protocol}`),
        )
        expect(published.sort()).toEqual(wanted.sort())
        expect(Object.keys(body.ExposedPorts).sort()).toEqual(Object.keys(body.HostConfig.PortBindings).sort())
      }),
    )
  })

  it.each([0, 1, 999, -1, 0.5, Number.NaN])('is never made for the user %s', (uid) => {
    const [input] = fc.sample(fuzzed, 1)
    if (input === undefined) throw new Error('No sample.')
    expect(() => serverContainer({ ...input, uid, ports: [] })).toThrow('never runs as a user of the system')
  })
})

describe('container of an installation', () => {
  it('holds its allow-list for every template and every field of a customer [case 113, 126]', () => {
    fc.assert(
      fc.property(fuzzed, fc.option(fc.constant('/etc/bakter/ca.pem')), (input, caBundle) => {
        const body = installerContainer({ ...input, caBundle })
        expectConfined(body, '/mnt/server')
        expectLiteral(body, input.argv, input.environment)
        expect(body.User).toBe('0:0')
        expect(body.HostConfig).toMatchObject({
          CapAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
          ReadonlyRootfs: false,
          PortBindings: {},
          PidsLimit: 512,
        })
        expect(body.ExposedPorts).toEqual({})
        const others = body.HostConfig.Mounts.slice(1)
        expect(others.map(({ Source, ReadOnly }) => ({ Source, ReadOnly }))).toEqual(
          caBundle === null ? [] : [{ Source: caBundle, ReadOnly: true }],
        )
      }),
    )
  })
})
