import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { DockerNode, type NodeServer } from '../../support/docker-node.ts'
import { waitFor } from '../../support/wait-for.ts'

// Faults 30 and 33 where containers end with the engine: without live-restore, and with the whole machine.
let node: DockerNode
beforeAll(async () => {
  node = await DockerNode.open({ liveRestore: false })
})
afterAll(() => node.close())
afterEach(() => node.check())

/** As after a loss of power: agent, engine and containers are gone, and the next boot has another name. */
const restartMachine = async (): Promise<void> => {
  await node.killAgent()
  for (const { Id } of await node.daemon.docker.listContainers()) {
    await node.daemon.docker.getContainer(Id).kill({ signal: 'SIGKILL' })
  }
  await node.daemon.kill()
  for (const { identifier } of node.servers) {
    const file = path.join(node.data, 'servers', identifier, 'state/server.json')
    const record = JSON.parse(readFileSync(file, 'utf8')) as { bootId: string | null }
    expect(record).toHaveProperty('bootId')
    if (record.bootId !== null) writeFileSync(file, JSON.stringify({ ...record, bootId: 'the boot before' }))
  }
  await node.daemon.start()
}

describe('an engine that ends its containers when it restarts', () => {
  it('is reported to the operator when the agent starts', () => {
    expect(node.agent?.process.output()).toContain('The Docker engine ends all servers when it is restarted')
  })

  it('ends each server once, and each starts again once [S-1, S-3, S-4, fault 30]', async () => {
    const servers = [await node.addInstalled(), await node.addInstalled()]
    await node.daemon.restart()
    for (const server of servers) {
      await waitFor('the end to be told', () => node.crashes(server).length > 0)
      server.asked += 1
      await node.reaches(server, 'running')
      expect(node.crashes(server)).toEqual(['server:crashed'])
      const player = await node.join(server, 'Anna')
      await player.hears('again')
    }
  })
})

describe('a restarted machine', () => {
  const ran: NodeServer[] = []

  const newest = (): number => Math.max(...node.controlPlane.events.keys())
  /** States that were told after the event, in their order. */
  const toldSince = (seq: number): { id: string; state: string }[] =>
    node.controlPlane
      .list()
      .filter((event) => event.seq > seq)
      .flatMap((event) => (event.kind === 'server.state' ? [{ id: event.server.id, state: event.server.state }] : []))
  const startsAgain = (server: NodeServer, seq: number) => {
    server.asked += 1
    return waitFor(`${server.identifier} to run again`, () =>
      toldSince(seq).some(({ id, state }) => id === server.id && state === 'running'),
    )
  }

  it('starts the servers that ran and are not suspended, in turns, and nothing else [S-1, S-5, fault 33]', async () => {
    ran.push(...node.servers)
    while (ran.length < 5) ran.push(await node.addInstalled())
    const stopped = await node.addInstalled()
    expect(await node.power(stopped, 'stop')).toMatchObject({ ok: true })
    const suspended = await node.addInstalled()
    await node.suspend(suspended)
    await node.reaches(suspended, 'offline')
    const installed = await node.addInstalled({ start: false })
    const unmoved: NodeServer[] = [stopped, suspended, installed]
    const last = newest()

    await restartMachine()
    await node.startAgent()
    for (const server of ran) await startsAgain(server, last)
    const told = toldSince(last)
    const statesOf = (server: NodeServer) => told.flatMap(({ id, state }) => (id === server.id ? [state] : []))
    expect(unmoved.map(statesOf)).toEqual([[], [], []])
    expect(ran.map(statesOf)).toEqual(ran.map(() => ['offline', 'starting', 'running']))
    // The pace itself is proved with time by hand in the unit tests; here no more than three are on their way.
    let onTheirWay = 0
    for (const { state } of told) {
      if (state === 'starting') onTheirWay += 1
      if (state === 'running') onTheirWay -= 1
      expect(onTheirWay).toBeLessThanOrEqual(3)
    }
    for (const server of node.servers) expect(node.crashes(server)).not.toContain('server:crash-loop')
  }, 300_000)

  it('does not start a server that was suspended while the machine was off [S-5, fault 33]', async () => {
    const [first, ...others] = ran
    if (first === undefined) throw new Error('No server ran.')
    const last = newest()
    await restartMachine()
    first.spec = { ...first.spec, generation: first.spec.generation + 1, suspended: true }
    node.controlPlane.known = [{ id: first.id, generation: first.spec.generation, suspended: true }]
    await node.startAgent()
    for (const server of others) await startsAgain(server, last)
    await node.reaches(first, 'offline')
    expect(await node.running(first)).toEqual([])
  }, 200_000)
})
