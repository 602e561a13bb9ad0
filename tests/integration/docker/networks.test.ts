import type Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { runCommand, type RunCommand } from '../../../agents/platform/run-command.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../agents/runtime/docker/engine.ts'
import { parseEgressAllow } from '../../../agents/runtime/docker/firewall-rules.ts'
import { NodeFirewall } from '../../../agents/runtime/docker/firewall.ts'
import { DockerNetworks, networkSettings, type NodeCache } from '../../../agents/runtime/docker/networks.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'

import { createTestNamespace, type TestNamespace } from '../../support/network-namespace.ts'
import { ANSWER_S, askFrom, both, SERVICE, SILENCE_S } from '../../support/network-probe.ts'
import { startOwnProcess, type OwnProcess } from '../../support/own-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const OWNER = { installation: 'test-installation', node: 'test-node' }
/** The namespace has this address besides its cable's, as a node in a private network has; services listen on all. */
const NODE_PRIVATE = '10.99.0.1'
const METADATA = '169.254.169.254'
const NODE_V6 = 'fd99::1'
/** A public address, which is in another namespace that has no way out either. */
const WORLD = '45.45.45.2'
/** Machines beside the node: in its private network, at a link-local address, by IPv6. */
const NEIGHBOURS = ['10.77.77.2', '169.254.170.2', 'fd77::2'] as const
const PORT = 5_432
const ALLOWED_PORT = 3_306
const MAIL_PORT = 25
/** Where the node's npm cache is in these tests: something answers on this port at all addresses of the node. */
const CACHE_PORT = 4_873

describe("the servers' networks of a real engine", () => {
  let daemon: TestDockerDaemon
  let world: TestNamespace | undefined
  let engine: DockerEngine
  let image: string
  let networks: DockerNetworks
  let run: RunCommand
  const settings = networkSettings('10.213.0.0/16', 'fd13::/48')
  const allow = parseEgressAllow(`${NODE_PRIVATE}:${ALLOWED_PORT}`)
  const shut = { allow, blockMail: true }

  const services: OwnProcess[] = []
  const serve = async (namespace: TestNamespace, ...ports: number[]): Promise<void> => {
    const [command, ...args] = namespace.enter(process.execPath, '-e', SERVICE, ...ports.map(String))
    const service = startOwnProcess({ command, args })
    services.push(service)
    await service.waitForOutput('ready')
  }
  const cache: NodeCache = {
    port: CACHE_PORT,
    listenAt: (host) => Promise.resolve(`http://${host}:${CACHE_PORT}`),
    leave: () => {},
  }
  const networksWith = (firewall: NodeFirewall, changes: Partial<typeof settings> = {}) =>
    new DockerNetworks(
      {
        engine,
        firewall,
        cache,
        owner: () => OWNER,
        nodeAddresses: () => ['10.213.0.1/29', 'fe80::1/64'],
        warn: (sentence) => {
          throw new Error(sentence)
        },
      },
      { ...settings, ...changes },
    )

  beforeAll(async () => {
    daemon = await startTestDockerDaemon()
    image = (await loadTestImage(daemon.docker)).name
    engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath }, systemTimers)
    run = (command, args, input) => {
      const [program, ...rest] = daemon.namespace.enter(command, ...args)
      return runCommand(program, rest, input)
    }
    const { namespace } = daemon
    namespace.run('ip', 'link', 'add', 'lan', 'type', 'bridge')
    for (const address of [`${NODE_PRIVATE}/24`, `${METADATA}/32`, `${NODE_V6}/64`]) {
      namespace.run('ip', 'addr', 'add', address, 'dev', 'lan', ...(address === `${NODE_V6}/64` ? ['nodad'] : []))
    }
    namespace.run('ip', 'link', 'set', 'lan', 'up')
    const outside = createTestNamespace()
    world = outside
    namespace.run('ip', 'link', 'add', 'world', 'type', 'veth', 'peer', 'name', 'node', 'netns', outside.name)
    namespace.run('ip', 'addr', 'add', '45.45.45.1/24', 'dev', 'world')
    namespace.run('ip', 'link', 'set', 'world', 'up')
    outside.run('ip', 'addr', 'add', `${WORLD}/24`, 'dev', 'node')
    outside.run('ip', 'link', 'set', 'node', 'up')
    for (const neighbour of NEIGHBOURS) {
      const add = (end: TestNamespace, address: string, device: string) =>
        end.run('ip', 'addr', 'add', address, 'dev', device, ...(address.includes(':') ? ['nodad'] : []))
      add(namespace, `${neighbour.slice(0, -1)}1/${neighbour.includes(':') ? 64 : 24}`, 'world')
      add(outside, `${neighbour}/${neighbour.includes(':') ? 64 : 24}`, 'node')
    }
    outside.run('ip', '-6', 'route', 'add', 'fd13::/48', 'via', 'fd77::1')
    await Promise.all([serve(namespace, PORT, ALLOWED_PORT, CACHE_PORT), serve(outside, PORT, MAIL_PORT)])
    networks = networksWith(new NodeFirewall({ run, timers: systemTimers }, shut))
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await daemon.remove()
    world?.remove()
  })

  const startServer = async (serverId: string, hostPort?: number): Promise<Docker.Container> => {
    const bindings = hostPort === undefined ? undefined : [{ HostIp: '', HostPort: String(hostPort) }]
    const container = await daemon.docker.createContainer({
      Image: image,
      Cmd: ['/usr/bin/node', '-e', SERVICE, String(PORT)],
      ExposedPorts: { [`${PORT}/tcp`]: {}, [`${PORT}/udp`]: {} },
      HostConfig: {
        NetworkMode: (await networks.prepare(serverId, 'server')).name,
        CapDrop: ['ALL'],
        ...(bindings && { PortBindings: { [`${PORT}/tcp`]: bindings, [`${PORT}/udp`]: bindings } }),
      },
    })
    await container.start()
    return container
  }
  const addressOf = async (container: Docker.Container) => {
    const { NetworkSettings } = await container.inspect()
    const [network] = Object.values(NetworkSettings.Networks)
    return { v4: network?.IPAddress ?? '', gateway: network?.Gateway ?? '', v6: network?.GlobalIPv6Address ?? '' }
  }
  const enterOf = async (container: Docker.Container) => {
    const { State } = await container.inspect()
    return (...argv: string[]) => ['nsenter', '--net', '--target', String(State.Pid), '--', ...argv] as const
  }
  const reachedFrom = async (container: Docker.Container, targets: readonly string[], seconds = SILENCE_S) =>
    askFrom(await enterOf(container), targets, seconds)
  const expectReached = async (container: Docker.Container, targets: readonly string[]): Promise<void> =>
    expect(await reachedFrom(container, targets, ANSWER_S)).toEqual(targets)
  const fromOutside = (targets: readonly string[]) => askFrom((...argv) => argv, targets, SILENCE_S)
  const networkCount = async () =>
    (await daemon.docker.listNetworks()).filter(({ Driver }) => Driver === 'bridge').length

  /** Everything that a server must not reach: the node under each of its addresses, and another server. */
  const forbidden = async (from: Docker.Container, other: Docker.Container): Promise<string[]> => {
    const [own, foreign] = [await addressOf(from), await addressOf(other)]
    expect([own.v6, foreign.v6]).toEqual([expect.stringMatching(/^fd13:/), expect.stringMatching(/^fd13:/)])
    const node = [own.gateway, foreign.gateway, NODE_PRIVATE, METADATA, daemon.namespace.address, NODE_V6]
    return [...node, ...NEIGHBOURS, foreign.v4, foreign.v6].flatMap((address) => both(address, PORT))
  }

  test('case 117: keep a server from the node and from other servers, which it would reach without the firewall', async () => {
    const [one, two] = [await startServer('one'), await startServer('two')]
    onTestFinished(async () => {
      for (const container of [one, two]) await container.remove({ force: true })
      for (const id of ['one', 'two']) await networks.remove(id)
    })
    const targets = await forbidden(one, two)
    const { v4, v6 } = await addressOf(one)
    await waitFor('the servers to listen', async () => (await reachedFrom(two, both('127.0.0.1', PORT))).length === 2)
    expect(await reachedFrom(one, targets)).toEqual([])
    expect(
      await reachedFrom(
        two,
        [v4, v6].flatMap((own) => both(own, PORT)),
      ),
    ).toEqual([])

    // The ways that are meant to work do: an exception of the operator's, and the world.
    const open = [...both(NODE_PRIVATE, ALLOWED_PORT), ...both(WORLD, PORT)]
    const mail = `tcp ${WORLD} ${MAIL_PORT}`
    await expectReached(one, open)
    expect(await reachedFrom(one, [mail])).toEqual([])

    // The same questions without the rules: the probe finds what the rules hide, so its silence means something.
    for (const program of ['iptables', 'ip6tables']) {
      for (const chain of ['BAKTER-FORWARD', 'BAKTER-INPUT']) daemon.namespace.run(program, '-F', chain)
    }
    // Docker keeps bridges apart for IPv4 alone.
    const hiddenByDocker = both((await addressOf(two)).v4, PORT)
    await expectReached(one, [...targets.filter((target) => !hiddenByDocker.includes(target)), mail])
    expect(await reachedFrom(one, hiddenByDocker)).toEqual([])

    await networks.prepare('one', 'server')
    expect(await reachedFrom(one, targets)).toEqual([])
  })

  const startInstaller = async (serverId: string) => {
    const { name, registry } = await networks.prepare(serverId, 'install')
    const container = await daemon.docker.createContainer({
      Image: image,
      Cmd: ['/bin/sleep', '600'],
      HostConfig: { NetworkMode: name },
    })
    await container.start()
    return { container, registry }
  }

  test('separate an installation as well, from its own server too', async () => {
    const server = await startServer('mixed')
    const { container: installer } = await startInstaller('mixed')
    onTestFinished(async () => {
      for (const container of [server, installer]) await container.remove({ force: true })
      await networks.remove('mixed')
    })
    expect(await reachedFrom(installer, await forbidden(installer, server))).toEqual([])
    await expectReached(installer, both(WORLD, PORT))
  })

  test('let an installation reach only the npm cache at its own gateway, and nobody else reaches that', async () => {
    const server = await startServer('cached')
    const one = await startInstaller('cached')
    const two = await startInstaller('other')
    onTestFinished(async () => {
      for (const container of [server, one.container, two.container]) await container.remove({ force: true })
      for (const id of ['cached', 'other']) await networks.remove(id)
    })
    const [own, other] = [await addressOf(one.container), await addressOf(two.container)]
    const { gateway: serversGateway } = await addressOf(server)
    expect(one.registry).toBe(`http://${own.gateway}:${CACHE_PORT}`)
    const node = [own.gateway, other.gateway, serversGateway, NODE_PRIVATE, METADATA, daemon.namespace.address]
    const six = own.v6.replace(/:[^:]*$/, ':1')
    const all = [...node, NODE_V6, six].flatMap((address) =>
      [CACHE_PORT, PORT, ALLOWED_PORT].flatMap((port) => both(address, port)),
    )
    // The operator's own exception is open to all.
    const allowed = both(NODE_PRIVATE, ALLOWED_PORT)
    const door = [`tcp ${own.gateway} ${CACHE_PORT}`]
    const shutFor = (open: readonly string[]) => all.filter((target) => !open.includes(target))
    await expectReached(one.container, [...door, ...allowed])
    expect(await reachedFrom(one.container, shutFor([...door, ...allowed]))).toEqual([])
    await expectReached(server, allowed)
    expect(await reachedFrom(server, shutFor(allowed))).toEqual([])
    // A neighbour that routes to the bridge, which the node would answer.
    world?.run('ip', 'route', 'replace', '10.213.0.0/16', 'via', '45.45.45.1')
    const fromBeside = (target: string, seconds: number) =>
      askFrom((...argv) => world?.enter(...argv) ?? argv, [target], seconds)
    expect(await fromBeside(`tcp ${own.gateway} ${PORT}`, ANSWER_S)).toHaveLength(1)
    expect(await fromBeside(door[0] ?? '', SILENCE_S)).toEqual([])
    // A system's own firewall that drops what it does not know leaves the door open.
    daemon.namespace.run('iptables', '-P', 'INPUT', 'DROP')
    onTestFinished(() => void daemon.namespace.run('iptables', '-P', 'INPUT', 'ACCEPT'))
    await expectReached(one.container, door)

    // Another agent in the place of this one opens it again, and only the end of the installation shuts it.
    const firewall = new NodeFirewall({ run, timers: systemTimers }, shut)
    const next = networksWith(firewall)
    await next.adopt()
    await firewall.apply()
    await expectReached(one.container, door)
    await expect(next.release('cached')).rejects.toMatchObject({ code: 'RUNTIME_REFUSED' })
    expect(await reachedFrom(one.container, door)).toEqual([])
    await one.container.remove({ force: true })
    await next.release('cached')
    expect(
      (await daemon.docker.listNetworks()).filter(({ Labels }) => Labels?.['bakter.kind'] === 'install'),
    ).toHaveLength(1)
    one.container = await daemon.docker.createContainer({ Image: image })
  })

  test('publish ports outside by tcp and udp, and to another server only when the operator allows it', async () => {
    const server = await startServer('public', 25_570)
    const guest = await startServer('guest')
    onTestFinished(async () => {
      for (const container of [server, guest]) await container.remove({ force: true })
      for (const id of ['public', 'guest']) await networks.remove(id)
    })
    const doors = both(daemon.namespace.address, 25_570)
    await waitFor('the published ports', async () => (await fromOutside(doors)).length === 2)
    expect(await reachedFrom(guest, doors)).toEqual([])
    const meeting = parseEgressAllow(`${daemon.namespace.address}:25565-25999`)
    await new NodeFirewall({ run, timers: systemTimers }, { ...shut, allow: [...allow, ...meeting] }).apply()
    await expectReached(guest, doors)
    expect(await reachedFrom(guest, await forbidden(guest, server))).toEqual([])
    await networks.prepare('guest', 'server')
    expect(await reachedFrom(guest, doors)).toEqual([])
  })

  test('keep their rules through a restart of Docker, and regain them after somebody removed them', async () => {
    const rules = () => daemon.namespace.run('iptables-save', '-t', 'filter').replace(/^#.*|\[.*\]$/gm, '')
    await networks.prepare('kept', 'server')
    const before = rules()
    await networks.prepare('kept', 'server')
    expect(rules()).toBe(before)
    await daemon.restart()
    daemon.namespace.run('iptables', '-F')
    daemon.namespace.run('iptables', '-I', 'INPUT', '-j', 'ACCEPT')
    expect(rules()).not.toContain('-A INPUT -j BAKTER-INPUT')
    await networks.prepare('kept', 'server')
    const after = rules()
    expect(after.indexOf('-A INPUT -j BAKTER-INPUT')).toBeGreaterThan(-1)
    expect(after.indexOf('-A INPUT -j BAKTER-INPUT')).toBeLessThan(after.indexOf('-A INPUT -j ACCEPT'))
    for (const line of before.split('\n').filter((known) => known.includes('BAKTER'))) expect(after).toContain(line)
    daemon.namespace.run('iptables', '-D', 'INPUT', '-j', 'ACCEPT')
    await daemon.restart()
    await networks.remove('kept')
  })

  test('fault 32: are recreated after a removal by hand, and replaced if their options differ', async () => {
    const { name } = await networks.prepare('again', 'server')
    const first = (await daemon.docker.getNetwork(name).inspect()) as { Id: string; Labels: Record<string, string> }
    expect(await networks.prepare('again', 'server')).toMatchObject({ name })
    await daemon.docker.getNetwork(name).remove()
    expect(await networks.prepare('again', 'server')).toMatchObject({ name })
    const second = (await daemon.docker.getNetwork(name).inspect()) as typeof first
    expect(second.Id).not.toBe(first.Id)

    await daemon.docker.getNetwork(name).remove()
    await daemon.docker.createNetwork({ Name: 'talkative', Driver: 'bridge', Labels: first.Labels })
    expect(await networks.prepare('again', 'server')).toMatchObject({ name })
    expect((await daemon.docker.listNetworks()).map(({ Name }) => Name)).not.toContain('talkative')
    await networks.remove('again')
    expect(await networks.servers()).toEqual([])
  })

  test('are forty for forty servers, created at once, and all are removed', async () => {
    const before = await networkCount()
    const ids = Array.from({ length: 40 }, (_, index) => `many-${index}`)
    await Promise.all(ids.map((id) => networks.prepare(id, 'server')))
    expect(await networkCount()).toBe(before + 40)
    expect((await networks.servers()).sort()).toEqual([...ids].sort())
    await Promise.all(ids.map((id) => networks.remove(id)))
    expect(await networkCount()).toBe(before)
  })

  test('are refused with a sentence when the pool is used up, and foreign networks are not touched', async () => {
    const firewall = new NodeFirewall({ run, timers: systemTimers }, shut)
    const small = networksWith(firewall, networkSettings('10.88.0.0/28'))
    const foreign = await daemon.docker.createNetwork({
      Name: 'foreign',
      Driver: 'bridge',
      IPAM: { Config: [{ Subnet: '10.88.0.0/29' }] },
    })
    onTestFinished(() => foreign.remove())
    await small.prepare('first', 'server')
    await expect(small.prepare('second', 'server')).rejects.toMatchObject({
      code: 'NETWORK_REFUSED',
      message: 'All networks of 10.88.0.0/28 are in use; give the node a larger pool.',
    })
    await small.remove('first')
    expect(await foreign.inspect()).toMatchObject({ Name: 'foreign' })
  })

  test("are refused without the right to set rules, or in another network namespace than Docker's", async () => {
    const before = await networkCount()
    const unprivileged: RunCommand = (command, args, input) =>
      runCommand('setpriv', ['--bounding-set=-net_admin', '--inh-caps=-net_admin', '--', command, ...args], input)
    const refused = networksWith(new NodeFirewall({ run: unprivileged, timers: systemTimers }, shut))
    await expect(refused.prepare('refused', 'server')).rejects.toMatchObject({
      code: 'NETWORK_REFUSED',
      message: expect.stringMatching(/^Servers are not kept apart, so none is started: .*NET_ADMIN/) as string,
    })
    expect(await networkCount()).toBe(before)

    const elsewhere = createTestNamespace()
    onTestFinished(async () => {
      elsewhere.remove()
      await networks.remove('elsewhere')
    })
    const runElsewhere: RunCommand = (command, args, input) => {
      const [program, ...rest] = elsewhere.enter(command, ...args)
      return runCommand(program, rest, input)
    }
    const wrong = networksWith(new NodeFirewall({ run: runElsewhere, timers: systemTimers }, shut))
    await expect(wrong.prepare('elsewhere', 'server')).rejects.toMatchObject({
      code: 'NETWORK_REFUSED',
      message: expect.stringContaining("does not see Docker's networks") as string,
    })
  })
})
