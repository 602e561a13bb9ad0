import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { OVERLOAD } from '../../../src/contracts/overload.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { createStrangers, type RunningAttack, type Strangers } from '../../support/strangers.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
let hostile: Strangers
let honest: Strangers
/** Servers whose archives may be taken; each is read by one at a time. */
const EXPIRED = Array.from({ length: 5 }, () => nextId())
const running: RunningAttack[] = []
const clients: PanelClient[] = []

const install = async (change: { id: string; identifier: string; expiresAtMs?: number }): Promise<void> => {
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' }, ...change })
  controlPlane.command({ serverId: spec.id, generation: 1, requestId: 'r', id: nextId(), kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState(spec.id) === 'offline')
}

beforeAll(async () => {
  fs.chmodSync(scratch.path, 0o755)
  hostile = createStrangers(7)
  honest = createStrangers(1)
  bundled = await bundleAgent()
  const controlPlaneUrl = await controlPlane.open()
  const data = path.join(scratch.path, 'agent')
  agent = await startAgent({
    bundle: bundled.bundle,
    data,
    controlPlaneUrl,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1', HOST: `127.0.0.1,${hostile.target},${honest.target}` },
  })
  await agent.ready()
  await install({ id: SERVER_ID, identifier: 'acdefghj' })
  for (const [at, id] of EXPIRED.entries()) {
    const identifier = `acdefgh${'kmnpq'[at]}`
    await install({ id, identifier, expiresAtMs: Date.now() - 600_000 })
    // More than the buffers between a file and a reader who takes a kilobyte a second.
    const world = path.join(data, 'servers', identifier, 'root', 'world.bin')
    fs.writeFileSync(world, randomBytes(64 * 1024 * 1024))
  }
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await Promise.all(running.splice(0).map((attack) => attack.end()))
})
afterAll(async () => {
  hostile.remove()
  honest.remove()
  await agent.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

const place = () => ({ port: agent.port, authority: 'node' })
const connect = (options: ConstructorParameters<typeof PanelClient>[1]): PanelClient => {
  const client = new PanelClient(agent.port, options)
  clients.push(client)
  return client
}
const archiveOf = async (server: string | undefined, user: string) => {
  const token = await controlPlane.token(
    { purpose: 'archive', sub: user, server, permissions: undefined },
    { kid: 'test', typ: 'archive+jwt' },
  )
  return { method: 'GET', path: `/servers/${server}/archive?token=${token}`, headers: { origin: SITE_ORIGIN } }
}

it('seven addresses of a network that keep 30 sockets each without a token hold no place of a person with one (S2)', async () => {
  const attack = hostile.attack(place(), {
    kind: 'sockets',
    each: 30,
    path: `/servers/${SERVER_ID}/ws`,
    origin: SITE_ORIGIN,
  })
  running.push(attack)
  await attack.begun()
  await waitFor('no place without proof', async () => (await connect({ from: '127.0.8.1' }).answered()) === 503)
  const proof = await controlPlane.token()
  const client = connect({ proof, from: '127.0.8.2' })
  expect(await client.answered()).toBe(101)
  await client.authenticate(proof)
  expect(client.has('auth success')).toBe(true)
})

it('two people who read four archives a kilobyte a second make room for a third (S5)', async () => {
  const [first, second, third] = [nextId(), nextId(), nextId()]
  const readers = [first, first, second, second]
  const calls = await Promise.all(readers.map((user, at) => archiveOf(EXPIRED[at], user)))
  expect(calls).toHaveLength(OVERLOAD.agent.archives.atOnce)
  const slow = hostile.attack(place(), { kind: 'slow-reads', calls })
  running.push(slow)
  await slow.begun()
  const seen: Record<string, number>[] = []
  await waitFor('an archive of the third', async () => {
    const asked = [await archiveOf(EXPIRED[4], third)]
    const tried = honest.attack(place(), { kind: 'calls', each: 1, atOnce: 1, calls: asked })
    const { statuses, silent503 } = await tried.outcome()
    seen.push(statuses)
    return silent503 === 0 && statuses['200'] === 1
  })
  // All four places were taken, and the third was told when to come back.
  expect(seen[0]).toEqual({ 503: 1 })
  const { statuses } = await slow.end()
  running.length = 0
  expect(statuses).toEqual({ 200: 4 })
})
