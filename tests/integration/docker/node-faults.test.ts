import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { systemClock } from '#platform/clock.ts'
import { runCommand } from '../../../agents/platform/run-command.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import type { DockerDriver } from '../../../agents/runtime/docker/docker-driver.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../agents/runtime/docker/engine.ts'
import { NodeFirewall } from '../../../agents/runtime/docker/firewall.ts'
import { DockerImages } from '../../../agents/runtime/docker/images.ts'
import { DockerNetworks, networkSettings } from '../../../agents/runtime/docker/networks.ts'
import type { TaskSpec } from '../../../agents/runtime/driver/runtime-driver.ts'
import type { TaskExit } from '../../../agents/runtime/driver/task-handle.ts'
import { statFields } from '../../../agents/platform/process-identity.ts'
import { containerName } from '../../../agents/runtime/docker/labels.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { dockerRig, OWNER, textsOf } from '../../support/docker-driver-rig.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { joinGame } from '../../support/game-player.ts'
import { waitFor } from '../../support/wait-for.ts'

const PORT = 25_565

/** A node with driver, images, networks and firewall on a daemon of its own. */
const openNode = async (liveRestore: boolean) => {
  const daemon = await startTestDockerDaemon({ liveRestore })
  const image = await loadTestImage(daemon.docker)
  const folder = mkdtempSync(path.join(tmpdir(), 'bakter-node-'))
  const rig = dockerRig(daemon, { image: image.id, folder })
  const engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath }, systemTimers)
  const run: typeof runCommand = (command, args, input) => {
    const [program, ...rest] = daemon.namespace.enter(command, ...args)
    return runCommand(program, rest, input)
  }
  const firewall = new NodeFirewall({ run, timers: systemTimers }, { allow: [], blockMail: false })
  const networks = new DockerNetworks(
    { engine, firewall, owner: () => OWNER, nodeAddresses: () => [], cache: null, warn: () => {} },
    networkSettings('10.213.0.0/16'),
  )
  const images = new DockerImages(
    { engine, clock: systemClock, timers: systemTimers, random: () => 0 },
    { attempts: 1 },
  )
  const newDriver = () => rig.newDriver({ images, networks })
  const close = async (): Promise<void> => {
    rig.closeAll()
    await daemon.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  return { daemon, rig, networks, newDriver, close, reference: `~${image.name}` }
}
type Node = Awaited<ReturnType<typeof openNode>>

const says = (driver: DockerDriver, spec: TaskSpec, text: string) =>
  waitFor(`the console to say ${text}`, () => textsOf(driver, spec.folders).includes(text))

const startGame = async (node: Node, driver: DockerDriver, folders = node.rig.newFolders()) => {
  const spec = node.rig.newSpec(folders, {
    image: node.reference,
    ports: [{ ip: '0.0.0.0', port: PORT }],
    environment: { GAME_START_DELAY_MS: '10', SERVER_IP: '0.0.0.0', SERVER_PORT: String(PORT) },
  })
  await driver.start(spec)
  const ends: TaskExit[] = []
  await driver.watch(spec.handle, folders, { output: () => {}, exited: (exit) => ends.push(exit) })
  await says(driver, spec, 'Done! The game is open')
  return { spec, ends }
}

const join = (daemon: TestDockerDaemon, name: string) => joinGame({ host: daemon.namespace.address, port: PORT }, name)

describe('a node whose daemon keeps containers', () => {
  let node: Node
  let driver: DockerDriver
  beforeAll(async () => {
    node = await openNode(true)
    driver = node.newDriver()
  })
  afterEach(async () => {
    for (const { Id } of await node.daemon.docker.listContainers({ all: true })) {
      await node.daemon.docker.getContainer(Id).remove({ force: true })
    }
  })
  afterAll(() => node.close())

  it('keeps the player connected through a restart, and the rules in place [S-2, fault 30]', async () => {
    const { spec, ends } = await startGame(node, driver)
    const player = await join(node.daemon, 'Anna')
    await player.hears('before')
    await node.daemon.restart()
    await player.hears('after')
    expect(player.hasLeft()).toBe(false)
    await waitFor('a line to be taken', () => driver.writeLine(spec.handle, spec.folders, 'say still here'))
    await says(driver, spec, '[Server] still here')
    expect(ends).toEqual([])
    const rules = node.daemon.namespace.run('iptables-save', '-t', 'filter')
    expect(rules).toMatch(/^-A DOCKER-USER -j BAKTER-FORWARD$/m)
    expect(rules).toMatch(/^-A BAKTER-INPUT -i bkt\+ -j DROP$/m)
  })

  it('keeps the player connected when containerd is killed, and sees no end in it [S-2, fault 30]', async () => {
    const { spec, ends } = await startGame(node, driver)
    const player = await join(node.daemon, 'Bela')
    await player.hears('before')
    await node.daemon.killContainerd()
    expect((await driver.recover(spec.handle, spec.folders)).is).toBe('running')
    await player.hears('after')
    await node.daemon.containerdIsBack()
    await waitFor('a line to be taken', () => driver.writeLine(spec.handle, spec.folders, 'say still here'))
    await says(driver, spec, '[Server] still here')
    expect(ends).toEqual([])
    expect(player.hasLeft()).toBe(false)
    await driver.signal(spec.handle, spec.folders, 'SIGKILL')
    await waitFor('the end', () => ends.length > 0)
    expect(ends).toHaveLength(1)
  })

  it('reports an end that the engine missed with its containerd, and restarts the server as soon as it can [S-1, S-3, fault 30]', async () => {
    const { spec, ends } = await startGame(node, driver)
    const container = node.daemon.docker.getContainer(containerName(OWNER, spec.handle))
    const { State } = await container.inspect()
    const supervisor = Number(statFields(State.Pid)?.[1])
    await node.daemon.killContainerd()
    // With the supervisor of the container the news of its end is lost for good.
    for (const pid of [supervisor, State.Pid]) process.kill(pid, 'SIGKILL')
    await waitFor('the end', () => ends.length > 0)
    expect((await container.inspect()).State.Running).toBe(true)
    expect(ends).toMatchObject([{ code: null, signal: null }])
    expect(await driver.recover(spec.handle, spec.folders)).toMatchObject({ is: 'exited' })
    await driver.forget(spec.handle, spec.folders)
    const again = await startGame(node, driver, spec.folders)
    const running = await node.daemon.docker.listContainers()
    expect(running.map(({ Names }) => Names)).toEqual([[`/${containerName(OWNER, again.spec.handle)}`]])
  })

  it('reports once the end that happened while the daemon was away [S-3, fault 31]', async () => {
    const { spec, ends } = await startGame(node, driver)
    await node.daemon.kill()
    await driver.signal(spec.handle, spec.folders, 'SIGKILL')
    await waitFor('the game to be gone', async () => {
      const gone = await fetch(`http://${node.daemon.namespace.address}:${PORT}`).catch(() => 'gone')
      return gone === 'gone'
    })
    expect(ends).toEqual([])
    await node.daemon.start()
    await waitFor('the end', () => ends.length > 0)
    expect(await driver.recover(spec.handle, spec.folders)).toMatchObject({ is: 'exited' })
    expect(ends).toHaveLength(1)
  })

  it('recreates a network that was removed by hand, and creates none for a removed server [fault 32]', async () => {
    const first = await startGame(node, driver)
    await driver.signal(first.spec.handle, first.spec.folders, 'SIGKILL')
    await waitFor('the end', () => first.ends.length > 0)
    await driver.forget(first.spec.handle, first.spec.folders)
    const { name } = await node.networks.prepare(first.spec.handle.serverId, 'server')
    await node.daemon.docker.getNetwork(name).remove()
    await startGame(node, driver, first.spec.folders)
    const player = await join(node.daemon, 'Cili')
    await player.hears('again')
    await driver.removeServer(first.spec.handle.serverId)
    expect(await node.networks.servers()).toEqual([])
    expect(await node.daemon.docker.listContainers({ all: true })).toEqual([])
  })

  it('reports in a sentence that a local image was removed by hand, and starts once it is back [fault 32]', async () => {
    const folders = node.rig.newFolders()
    await node.daemon.docker.getImage(node.reference.slice(1)).remove({ force: true })
    await expect(startGame(node, driver, folders)).rejects.toMatchObject({
      code: 'IMAGE_UNAVAILABLE',
      message: `The image ${node.reference.slice(1)} is marked as local, and it is not on this node.`,
    })
    expect(await node.daemon.docker.listContainers({ all: true })).toEqual([])
    await loadTestImage(node.daemon.docker)
    await startGame(node, driver, folders)
  })
})

describe('a node whose daemon ends its containers', () => {
  let node: Node
  beforeAll(async () => {
    node = await openNode(false)
  })
  afterAll(() => node.close())

  it('reports the end of each server once, and restarts it on the same network [S-3, fault 30]', async () => {
    const driver = node.newDriver()
    const { spec, ends } = await startGame(node, driver)
    const player = await join(node.daemon, 'Dani')
    await player.hears('before')
    const network = await node.networks.prepare(spec.handle.serverId, 'server')
    await node.daemon.restart()
    await waitFor('the end', () => ends.length > 0)
    expect(await driver.recover(spec.handle, spec.folders)).toMatchObject({ is: 'exited' })
    expect(ends).toHaveLength(1)
    expect((await driver.start(spec)).is).toBe('exited')
    await driver.forget(spec.handle, spec.folders)
    await startGame(node, driver, spec.folders)
    expect(await node.networks.prepare(spec.handle.serverId, 'server')).toEqual(network)
    const again = await join(node.daemon, 'Dani')
    await again.hears('after')
  })
})
