import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { systemIds } from '#platform/ids.ts'
import { addComputer, addServer } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { startProgram, type TestProgram } from '../../factories/program.ts'
import { buildServerSpec } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { ownUsers } from '../../support/own-users.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { startSiteKeys, type SiteKeys } from '../../support/site-keys.ts'
import { waitFor } from '../../support/wait-for.ts'

// Two control planes, two agents and a browser at each gateway, on real PostgreSQL, with Redis and without. Then one
// control plane is killed, and one is frozen.
const WITHIN_MS = 120_000

type Node = {
  readonly agent: AgentUnderTest
  readonly data: string
  readonly serverId: string
  readonly identifier: string
}
type Browser = { readonly states: string[]; close(): void }

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let siteKeys: SiteKeys
beforeAll(async () => {
  bundled = await bundleAgent()
  siteKeys = await startSiteKeys()
})
afterAll(async () => {
  bundled.remove()
  await siteKeys.close()
})

/** Everything of one world; the tests of a world go on from one another, as an outage does. */
const createWorld = () => {
  const ownerId = systemIds.next()
  const scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  let database: PlatformDatabase
  let redis: TestRedis | undefined
  let planes: TestProgram[] = []
  let proxy: FaultProxy
  const nodes: Node[] = []

  const env = (): Record<string, string> => ({
    SITE_INTERNAL_URL: siteKeys.url,
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  })
  const call = async <Answer>(plane: TestProgram, name: string, body: object): Promise<Answer> => {
    const answer = await fetch(`${plane.internalUrl}/internal/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-secret': plane.env['INTERNAL_SECRET'] ?? '' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const caller = {
    userId: ownerId,
    sessionId: null,
    locale: 'en',
    address: '127.0.0.1',
    isAdmin: true,
    isSupport: false,
    isVerified: true,
  }

  const addNode = async (plane: TestProgram, index: number, url: string): Promise<void> => {
    const computerId = await addComputer(database.owner, `http://127.0.0.1:${18_000 + index}`)
    const { token } = await call<{ token: string }>(plane, 'enrolment-token', { caller, computerId })
    const data = path.join(scratch.path, `agent-${index}`)
    const agent = await startAgent({
      bundle: bundled.bundle,
      data,
      controlPlaneUrl: url,
      env: {
        AGENT_STOP_SERVERS_ON_EXIT: '1',
        AGENT_ENROLMENT_TOKEN: token,
        AGENT_UID_BASE: String(ownUsers() + 1_000 + 100 * index),
      },
    })
    await agent.ready()
    const [row] = await database.owner.query<{ id: string }>('select id from control.nodes where computer_id = $1', [
      computerId,
    ])
    const {
      id: _id,
      identifier: _identifier,
      generation: _generation,
      ...spec
    } = buildServerSpec({
      environment: { GAME_PORT: '0' },
    })
    const { id: serverId } = await addServer(database.owner, row?.id ?? '', { ownerId, power: 'stopped', spec })
    const [server] = await database.owner.query<{ identifier: string }>(
      'select identifier from control.servers where id = $1',
      [serverId],
    )
    nodes.push({ agent, data, serverId, identifier: server?.identifier ?? '' })
  }

  /** Pids of the control planes that hold the sessions of the nodes, by node. */
  const holders = async (): Promise<number[]> => {
    const rows = await database.owner.query<{ holder: string; at: number }>(
      `select a.holder from control.agent_sessions a join control.servers s on s.node_id = a.node_id
       where a.renewed_at > now() - interval '10 seconds' order by s.created_at`,
    )
    return rows.map(({ holder }) => Number(holder.split(':').at(-1)))
  }

  const stateOf = async ({ serverId }: Node): Promise<string | undefined> => {
    const rows = await database.owner.query<{ state: string; installed: boolean }>(
      'select state, installed from control.server_state where server_id = $1',
      [serverId],
    )
    return rows[0]?.installed === true ? rows[0].state : undefined
  }
  const openCommands = async ({ serverId }: Node): Promise<number> => {
    const rows = await database.owner.query<{ id: string }>(
      `select id from control.commands where server_id = $1 and state in ('pending', 'accepted')`,
      [serverId],
    )
    return rows.length
  }

  return {
    nodes,
    get planes() {
      return planes
    },
    open: async (withRedis: boolean) => {
      database = await platformDatabase()
      redis = withRedis ? await startTestRedis() : undefined
      planes = [await startProgram(database.url, { env: env() }), await startProgram(database.url, { env: env() })]
      proxy = new FaultProxy(...planes.map(({ publicUrl }) => Number(new URL(publicUrl).port)))
      const url = await proxy.open()
      // Each enrolment and each session takes a connection of its own, so the first session goes to the second plane.
      for (const [index, plane] of planes.entries()) await addNode(plane, index, url)
    },
    close: async () => {
      for (const { agent } of nodes) await agent.process.stop(20_000)
      await proxy.close()
      for (const plane of planes) {
        if (!plane.process.isRunning()) continue
        plane.process.signal('SIGCONT')
        await plane.process.stop()
      }
      await redis?.stop()
      await database.close()
      scratch.remove()
    },
    /** Waits until this control plane, and no other, holds the sessions of all nodes. */
    sessionsMoveTo: (plane: TestProgram) =>
      waitFor(
        'the sessions to move',
        async () => {
          const pids = await holders()
          return pids.length === 2 && pids.every((pid) => pid === plane.process.pid)
        },
        WITHIN_MS,
      ),
    power: (plane: TestProgram, node: Node, action: string) =>
      call(plane, 'power', { caller, serverId: node.serverId, action }),
    /** The state, and the end of the command that led to it: the state is told first, and until the end nothing else may be asked. */
    reaches: (node: Node, state: string) =>
      waitFor(
        `the server to be ${state}`,
        async () => (await stateOf(node)) === state && (await openCommands(node)) === 0,
        WITHIN_MS,
      ),
    starts: ({ data, identifier }: Node): number => {
      const file = path.join(data, 'servers', identifier, 'root/starts.txt')
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
    },
    /** Ends of the commands of a server: one for each command, never two. */
    commands: ({ serverId }: Node) =>
      database.owner.query<{ kind: string; state: string }>(
        'select kind, state from control.commands where server_id = $1 order by created_at, id',
        [serverId],
      ),
    moveSessionsTo: async (plane: TestProgram): Promise<void> => {
      await waitFor(
        'the sessions',
        async () => {
          const resetAt = new Date()
          proxy.reset()
          const rows = await waitFor('new sessions', async () => {
            const found = await database.owner.query<{ holder: string }>(
              'select holder from control.agent_sessions where connected_at > $1',
              [resetAt],
            )
            return found.length === nodes.length && found
          })
          // A connection that was begun twice takes two turns, and then both may be at the other one.
          return rows.some(({ holder }) => holder.endsWith(`:${plane.process.pid}`))
        },
        WITHIN_MS,
      )
    },
    restart: async (index: number): Promise<void> => {
      const port = new URL(planes[index]?.publicUrl ?? '').port
      const at = { CONTROL_PLANE_PORT: port, CONTROL_PLANE_PUBLIC_URL: `http://127.0.0.1:${port}` }
      const plane = await startProgram(database.url, { env: { ...env(), ...at } })
      planes[index] = plane
    },
    browse: async (plane: TestProgram): Promise<Browser> => {
      const token = await siteKeys.accessToken(ownerId)
      const address = `${plane.publicUrl.replace('http', 'ws')}/api/ws/gateway?token=${token}`
      const socket = new WebSocket(address, { origin: plane.env['SITE_URL'] ?? '' })
      const states: string[] = []
      socket.on('error', () => {})
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { event: string; data?: { sid: string; state: string } }
        if (message.event === 'server.state.change') states.push(`${message.data?.sid} ${message.data?.state}`)
      })
      await new Promise((resolve, reject) => socket.once('open', resolve).once('close', reject))
      return { states, close: () => socket.terminate() }
    },
  }
}

describe.each([
  ['Redis', true],
  ['LISTEN and NOTIFY', false],
])('two of everything on %s', (_name, withRedis) => {
  const world = createWorld()
  const at = <T>(list: readonly T[], index: number): T => {
    const item = list[index]
    if (item === undefined) throw new Error(`There is no number ${index}.`)
    return item
  }
  const node = (index: number) => at(world.nodes, index)
  const plane = (index: number) => at(world.planes, index)

  beforeAll(() => world.open(withRedis), 240_000)
  afterAll(() => world.close(), 240_000)

  it(
    'a command reaches the agent, and an event the browser, wherever their sockets are',
    { timeout: 600_000 },
    async () => {
      const browsers = [await world.browse(plane(0)), await world.browse(plane(1))]
      for (const index of [0, 1]) await world.reaches(node(index), 'offline')
      // Each control plane is asked for each server: at least one of the two is not the one that holds the session.
      for (const [by, index] of [
        [0, 0],
        [1, 1],
      ] as const) {
        await world.power(plane(by), node(index), 'start')
        await world.reaches(node(index), 'running')
        await world.power(plane(1 - by), node(index), 'stop')
        await world.reaches(node(index), 'offline')
        await world.power(plane(1 - by), node(index), 'start')
        await world.reaches(node(index), 'running')
      }
      const words = (sid: string) =>
        ['starting', 'running', 'stopping', 'offline', 'starting', 'running'].map((word) => `${sid} ${word}`)
      for (const browser of browsers) {
        for (const index of [0, 1]) {
          const { serverId } = node(index)
          const heard = () => {
            const mine = browser.states.filter((text) => text.startsWith(serverId))
            // Lines before the first start are of the installation.
            return mine.slice(Math.max(0, mine.indexOf(`${serverId} starting`)))
          }
          await waitFor('the events', () => heard().length >= 6)
          expect(heard()).toEqual(words(serverId))
        }
        browser.close()
      }
      expect([world.starts(node(0)), world.starts(node(1))]).toEqual([2, 2])
    },
  )

  it(
    'the sessions of a killed control plane move to the other one, and no server notices',
    { timeout: 400_000 },
    async () => {
      await world.moveSessionsTo(plane(0))
      plane(0).process.signal('SIGKILL')
      await plane(0).process.ended
      await world.sessionsMoveTo(plane(1))
      expect([world.starts(node(0)), world.starts(node(1))]).toEqual([2, 2])
      const browser = await world.browse(plane(1))
      // A socket that opens hears first how each server is.
      await waitFor('the present states', () => browser.states.length >= 2)
      const present = browser.states.length
      for (const index of [0, 1]) {
        await world.power(plane(1), node(index), 'restart')
        await waitFor('the second start', () => world.starts(node(index)) === 3)
        await world.reaches(node(index), 'running')
      }
      const later = () => browser.states.slice(present)
      await waitFor('the events', () => later().filter((text) => text.endsWith('running')).length === 2)
      browser.close()
      await world.restart(0)
    },
  )

  it('a frozen control plane keeps no agent, and takes no command when it wakes', { timeout: 600_000 }, async () => {
    await world.moveSessionsTo(plane(1))
    plane(1).process.signal('SIGSTOP')
    await world.sessionsMoveTo(plane(0))
    for (const index of [0, 1]) {
      await world.power(plane(0), node(index), 'stop')
      await world.reaches(node(index), 'offline')
    }
    plane(1).process.signal('SIGCONT')
    await waitFor('the woken control plane', async () => (await fetch(`${plane(1).internalUrl}/health/ready`)).ok)
    for (const index of [0, 1]) {
      await world.power(plane(1), node(index), 'start')
      await world.reaches(node(index), 'running')
      expect(world.starts(node(index))).toBe(4)
      const commands = await world.commands(node(index))
      expect(commands.map(({ state }) => state)).toEqual(commands.map(() => 'finished'))
    }
  })
})
