import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { loadTestImage } from '../../support/docker-image.ts'
import { DockerNode, type NodeServer } from '../../support/docker-node.ts'
import { waitFor } from '../../support/wait-for.ts'

const HANG_MS = 60_000

// Faults 20, 30, 31 and 32 over the whole agent as a process: after each of them S-1 to S-5 hold for every server.
let node: DockerNode
let played: NodeServer
let other: NodeServer
let crashes = 0

beforeAll(async () => {
  node = await DockerNode.open({ liveRestore: true })
  played = await node.addInstalled()
  other = await node.addInstalled()
}, 180_000)
afterAll(() => node.close())
afterEach(() => node.check())

/** Crashes that were told of the server. */
const told = (server: NodeServer): number => node.crashes(server).length
const stateOf = (server: NodeServer): string => node.file(server, 'state/server.json')

/** The server ended unasked: that is told once, and its back-off starts it again, once. */
const expectOneCrash = async (server: NodeServer): Promise<void> => {
  crashes += 1
  await waitFor('the crash to be told', () => told(server) === crashes)
  server.asked += 1
  await node.reaches(server, 'running')
  expect(node.crashes(server)).toEqual(Array<string>(crashes).fill('server:crashed'))
}

describe('an engine in trouble under an agent', () => {
  it('that restarts with live-restore is noticed by nobody [S-2, fault 30]', async () => {
    const player = await node.join(played, 'Anna')
    await player.hears('before')
    const before = await node.containerOf(played)
    await node.daemon.restart()
    await player.hears('after')
    expect(await node.containerOf(played)).toBe(before)
    const console = await node.watch(played)
    await waitFor('a line to be taken', () => {
      console.send('send command', ['say once more'])
      return console.says('[Server] once more')
    })
    console.close()
    expect([player.hasLeft(), told(played), told(other)]).toEqual([false, 0, 0])
  })

  it(
    'that hangs for a minute stops no game and no statistics, a kill still kills, and nothing counts as a crash [S-2, S-3, S-4, fault 30]',
    { timeout: 240_000 },
    async () => {
      const player = await node.join(played, 'Bela')
      const console = await node.watch(played)
      const stats = (): number => console.messages.filter(({ event }) => event === 'stats').length
      const { State } = await node.daemon.docker.getContainer(await node.containerOf(other)).inspect()
      const begun = performance.now()
      await node.daemon.freeze()
      try {
        const killed = node.power(other, 'kill')
        await waitFor('the kernel to have ended it', () => !existsSync(`/proc/${State.Pid}`))
        for (let spoken = 0; performance.now() - begun < HANG_MS; spoken += 1) {
          await player.hears(`in the hang ${spoken}`)
          const before = stats()
          await waitFor('statistics', () => stats() > before)
        }
        expect(node.controlPlane.lastState(played.id)).toBe('running')
        node.daemon.thaw()
        await killed
      } finally {
        node.daemon.thaw()
      }
      await node.reaches(other, 'offline')
      await node.start(other)
      await player.hears('after')
      console.close()
      expect([player.hasLeft(), told(played), told(other)]).toEqual([false, 0, 0])
    },
  )

  it('whose containerd is killed is noticed by nobody, and a stop still stops [S-2, S-3, fault 30]', async () => {
    const player = await node.join(played, 'Cili')
    await player.hears('before')
    await node.daemon.killContainerd()
    await player.hears('after')
    await node.daemon.containerdIsBack()
    await player.hears('when it is back')
    expect([player.hasLeft(), told(played), told(other)]).toEqual([false, 0, 0])
    expect(await node.power(other, 'stop')).toMatchObject({ ok: true })
    await node.check()
    await node.start(other)
  })

  it('that was away while a server ended: it is reported once and restarted once [S-1, S-3, fault 31]', async () => {
    const { State } = await node.daemon.docker.getContainer(await node.containerOf(other)).inspect()
    await node.daemon.kill()
    process.kill(State.Pid, 'SIGKILL')
    const player = await node.join(played, 'Dani')
    await player.hears('without an engine')
    expect(told(other)).toBe(crashes)
    await node.daemon.start()
    await expectOneCrash(other)
    expect(player.hasLeft()).toBe(false)
  })
})

describe('a removal by hand', () => {
  it('of a container: its end is reported once and the server restarts [S-1, S-3, fault 32]', async () => {
    await node.daemon.docker.getContainer(await node.containerOf(other)).remove({ force: true })
    await expectOneCrash(other)
  })

  it('of the network under a running server: it gets one again, and its players can connect [fault 32]', async () => {
    const id = await node.containerOf(other)
    const { NetworkSettings } = await node.daemon.docker.getContainer(id).inspect()
    const [name = ''] = Object.keys(NetworkSettings.Networks)
    const network = node.daemon.docker.getNetwork(name)
    await network.disconnect({ Container: id, Force: true })
    // Refused when the agent was faster.
    await network.remove().catch(() => undefined)
    const player = await node.join(other, 'Elek')
    await player.hears('here again')
    expect(await node.running(other)).toEqual([id])
  })

  it('of an image: its servers continue, the next start reports it, and succeeds once it is back [fault 32]', async () => {
    expect(await node.power(other, 'stop')).toMatchObject({ ok: true })
    const image = node.daemon.docker.getImage(node.image)
    // The one of the server that runs cannot go, its name can.
    await image.remove({ force: true })
    const refused = await node.power(other, 'start')
    expect(refused).toMatchObject({ ok: false, code: 'IMAGE_UNAVAILABLE' })
    expect(refused.detail).toContain('is marked as local, and it is not on this node')
    expect(await node.running(played)).toHaveLength(1)
    await node.check()
    await loadTestImage(node.daemon.docker)
    await node.start(other)
  })
})

describe('an agent of another version', () => {
  const fileOf = (server: NodeServer): string => path.join(node.data, 'servers', server.identifier, 'state/server.json')

  it('that is newer adopts the servers that an older one left running [S-2, fault 20]', async () => {
    const player = await node.join(played, 'Flora')
    await node.killAgent()
    const { bootId, byItself, slowStartTold, fencedAt, ...kept } = JSON.parse(stateOf(played)) as Record<
      string,
      unknown
    >
    expect([bootId, byItself, slowStartTold, fencedAt]).not.toContain(undefined)
    writeFileSync(fileOf(played), JSON.stringify({ ...kept, version: 1 }))
    await node.startAgent()
    await node.check()
    await player.hears('with the newer one')
    expect(player.hasLeft()).toBe(false)
    expect(await node.power(played, 'stop')).toMatchObject({ ok: true })
    await node.start(played)
    expect(JSON.parse(stateOf(played))).toMatchObject({ version: 2 })
  })

  it('that is older refuses the state with a sentence, and the servers continue without it [S-2, fault 20]', async () => {
    const player = await node.join(played, 'Geza')
    await node.killAgent()
    const present = stateOf(played)
    const newer = JSON.stringify({ ...(JSON.parse(present) as object), version: 3, future: true })
    writeFileSync(fileOf(played), newer)
    expect(await node.refusalOfAgent()).toMatch(/^1: .*Install the newer agent again; nothing was changed\./s)
    expect(stateOf(played)).toBe(newer)
    await player.hears('without an agent')
    expect(await node.running(other)).toHaveLength(1)
    writeFileSync(fileOf(played), present)
    await node.startAgent()
    await node.check()
    expect(player.hasLeft()).toBe(false)
  })
})
