import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import { changeStartup, revealSecret } from '../../../control-plane/servers/startup/change-startup.ts'
import { readStartup } from '../../../control-plane/servers/startup/read-startup.ts'
import { addNode, addServer, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const NAMES = ['SERVER_PORT', 'SERVER_IP', 'SERVER_MEMORY', 'MOTD']
const text = (en: string) => ({ en, hu: en, de: en })
const VARIABLES = NAMES.map((environmentVariable) => ({
  name: text(environmentVariable),
  default: '25565',
  environmentVariable,
  editable: true,
  // As if its template took it for the customer's own, and a secret too.
  ...(environmentVariable === 'SERVER_PORT' ? { port: 0 } : {}),
  ...(environmentVariable === 'SERVER_MEMORY' ? { secret: true } : {}),
}))

let database: PlatformDatabase
let node: FleetNode
const templateId = systemIds.next()
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
  await database.owner.query(
    `insert into cms_api.templates (id, slug, name, description, runtimes, startup_argv, docker_images, variables)
     values ($1, 'game', 'Game', $2, '{docker}', '{node}', '[]', $3)`,
    [templateId, JSON.stringify(text('Game')), JSON.stringify(VARIABLES)],
  )
})
afterAll(() => database.close())

const newServer = async (image: string | null) => {
  const environment = Object.fromEntries(NAMES.map((name) => [name, 'typed']))
  const allocations = [
    { ip: '192.0.2.7', port: 25_001, primary: false },
    { ip: '192.0.2.7', port: 25_002, primary: true },
  ]
  const { id, ownerId } = await addServer(database.owner, node.nodeId, {
    installed: true,
    spec: { environment, allocations, image },
  })
  await database.owner.query('update control.servers set template_id = $2 where id = $1', [id, templateId])
  const who = { userId: ownerId, sessionId: null, isAdmin: false, isSupport: false, isVerified: true } as const
  const caller: Caller = { ...who, locale: 'en', address: '192.0.2.1', way: 'panel' }
  return { serverId: id, caller }
}
const context = () => testContext(database.db)
const shown = async (server: Awaited<ReturnType<typeof newServer>>) => {
  const answer = await readStartup(context(), server)
  if (!answer.ok) throw new Error(answer.code)
  return answer.startup
}

it('variables of the node show the value that the server runs with and where it comes from, and nobody edits them', async () => {
  const server = await newServer(null)
  const { variables, memoryMiB } = await shown(server)
  const facts = variables.map(({ given, value, editable, secret, port }) => ({ given, value, editable, secret, port }))
  const fixed = { editable: false, secret: false, port: null }
  expect(facts).toEqual([
    { given: 'port', value: '25002', ...fixed },
    { given: 'ip', value: '192.0.2.7', ...fixed },
    { given: 'memory', value: String(memoryMiB), ...fixed },
    { given: null, value: 'typed', editable: true, secret: false, port: null },
  ])
})

it('a server in a container listens on all addresses of its own', async () => {
  const server = await newServer(`registry.example/game@sha256:${'a'.repeat(64)}`)
  expect((await shown(server)).variables[1]).toMatchObject({ given: 'ip', value: '0.0.0.0' })
})

it('a change or a look at the saved value of one is refused, and nothing is saved', async () => {
  const server = await newServer(null)
  const change = (variables: Record<string, string | null>) =>
    changeStartup(context(), { ...server, requestId: 'req-1', change: { version: 0, variables } })
  const locked = { code: 'locked' }
  expect(await change({ SERVER_PORT: 'primary', SERVER_IP: 'x', SERVER_MEMORY: null, MOTD: 'Hi' })).toEqual({
    ok: false,
    code: 'INVALID_VALUES',
    faults: { SERVER_PORT: locked, SERVER_IP: locked, SERVER_MEMORY: locked },
  })
  expect(await revealSecret(context(), { ...server, variable: 'SERVER_MEMORY' })).toEqual({
    ok: false,
    code: 'NOT_FOUND',
  })
  const { version, variables } = await shown(server)
  expect([version, variables[3]?.value]).toEqual([0, 'typed'])
})
