import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import { findServer, listServers } from '../../../control-plane/servers/store/read-servers.ts'
import { specFor, readServers } from '../../../control-plane/servers/store/server-store.ts'
import {
  changeStartup,
  changeStartupImage,
  revealSecret,
} from '../../../control-plane/servers/startup/change-startup.ts'
import { readStartup } from '../../../control-plane/servers/startup/read-startup.ts'
import { movePortLinks } from '../../../control-plane/servers/startup/startup-store.ts'
import { overtakenWrite } from '../../support/overtaken-write.ts'
import { addNode, addServer, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const PINNED = (letter: string) => `registry.example/game@sha256:${letter.repeat(64)}`
const text = (en: string) => ({ en, hu: `${en} hu`, de: `${en} de` })
const variable = (environmentVariable: string, preset: string, more = {}) => ({
  name: text(environmentVariable),
  default: preset,
  environmentVariable,
  editable: true,
  ...more,
})
const VARIABLES = [
  variable('MAX_PLAYERS', '20', { rules: 'required|integer|between:1,200', description: text('How many') }),
  variable('MOTD', 'Hello', { rules: 'nullable|string|max:59' }),
  variable('RCON_PASSWORD', 'preset', { rules: 'nullable|alpha_num' }),
  variable('HOST_TOKEN', 'of the host', { editable: false }),
  variable('GAME_PORT', '', { port: 0 }),
  variable('QUERY_PORT', '', { port: 1 }),
]
const ALLOCATIONS = [
  { ip: '127.0.0.1', port: 25_000, primary: true },
  { ip: '127.0.0.1', port: 25_001, primary: false },
]
const ENVIRONMENT = {
  MAX_PLAYERS: '20',
  MOTD: 'Hello',
  RCON_PASSWORD: 'hunter2',
  HOST_TOKEN: 'of the host',
  GONE: 'kept',
}

let database: PlatformDatabase
let node: FleetNode
const templateId = systemIds.next()
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
  await database.owner.query(
    `insert into cms_api.templates (id, slug, name, description, runtimes, startup_argv, docker_images, variables)
     values ($1, 'game', 'Game', $2, '{docker}', '{node}', $3, $4)`,
    [
      templateId,
      JSON.stringify(text('Game')),
      JSON.stringify([
        { label: 'One', image: PINNED('a') },
        { label: 'Two', image: PINNED('b') },
        { label: 'A tag', image: 'registry.example/game:latest' },
      ]),
      JSON.stringify(VARIABLES),
    ],
  )
})
afterAll(() => database.close())

const as = (userId: string, isAdmin = false): Caller => ({
  userId,
  sessionId: null,
  isAdmin,
  isSupport: false,
  isVerified: true,
  locale: 'hu',
  address: '192.0.2.1',
  way: 'panel',
})

const newServer = async (options: ServerOptions = {}) => {
  const { id, ownerId } = await addServer(database.owner, node.nodeId, {
    installed: true,
    state: 'running',
    ...options,
    spec: { environment: ENVIRONMENT, allocations: ALLOCATIONS, ...options.spec },
  })
  await database.owner.query('update control.servers set template_id = $2 where id = $1', [id, templateId])
  return { id, ownerId, owner: as(ownerId) }
}
type Rented = Awaited<ReturnType<typeof newServer>>

const context = () => testContext(database.db)
const change = ({ id, owner }: Rented, variables: Record<string, string | null>, version = 0, caller = owner) =>
  changeStartup(context(), { caller, serverId: id, requestId: 'req-1', change: { version, variables } })
const image = ({ id, owner }: Rented, wanted: string, version = 0) =>
  changeStartupImage(context(), { caller: owner, serverId: id, requestId: 'req-1', change: { version, image: wanted } })
const read = async ({ id, owner }: Rented, caller = owner) => {
  const answer = await readStartup(context(), { caller, serverId: id })
  if (!answer.ok) throw new Error(answer.code)
  return answer.startup
}
const specOf = async (id: string): Promise<ServerSpec> => {
  const [server] = await readServers(database.db, 's.id = $1', [id])
  if (server === undefined) throw new Error('There is no server.')
  return specFor(server)
}
const activitiesOf = (id: string) =>
  database.owner.query(
    'select user_id, type, detail, ip_address, way from control.activities where server_id = $1 order by id',
    [id],
  )

describe('the start-up settings of a server', () => {
  it('are what its template says of the values it has, in the language of the reader and without secrets', async () => {
    const server = await newServer({ spec: { startup: { argv: ['node', '{{env:MOTD}}'] } } })
    const { variables, ...rest } = await read(server)
    expect(rest).toMatchObject({
      version: 0,
      changedAt: null,
      command: ['node', '{{env:MOTD}}'],
      ports: ALLOCATIONS.map(({ port, primary }) => ({ port, primary })),
      image: null,
      running: null,
    })
    expect(variables[0]).toEqual({
      environmentVariable: 'MAX_PLAYERS',
      name: 'MAX_PLAYERS hu',
      description: 'How many hu',
      rules: 'required|integer|between:1,200',
      editable: true,
      secret: false,
      isSet: true,
      value: '20',
      default: '20',
      isDefault: true,
      port: null,
      given: null,
    })
    expect(
      variables
        .filter(({ secret }) => secret)
        .map((each) => [each.environmentVariable, each.value, each.default, each.isSet]),
    ).toEqual([
      ['RCON_PASSWORD', null, null, true],
      ['HOST_TOKEN', null, null, true],
    ])
    expect(JSON.stringify(variables)).not.toMatch(/hunter2|of the host|preset/)
  })

  it('are changed in the specification under a new generation, with one line of the log that has no value', async () => {
    const server = await newServer()
    const changed = await change(server, { MAX_PLAYERS: '40', RCON_PASSWORD: 'n3w', MOTD: 'Hello' })
    expect(changed).toMatchObject({ ok: true, startup: { version: 1 } })
    const spec = await specOf(server.id)
    expect(spec).toMatchObject({
      generation: 2,
      environment: { ...ENVIRONMENT, MAX_PLAYERS: '40', RCON_PASSWORD: 'n3w' },
    })
    expect(await activitiesOf(server.id)).toEqual([
      {
        user_id: server.ownerId,
        type: 'server:startup.edit',
        detail: { text: 'MAX_PLAYERS, RCON_PASSWORD' },
        ip_address: '192.0.2.1',
        way: 'panel',
      },
    ])
    const [task] = await database.owner.query(
      `select payload from control.outbox where topic = 'provision-server' order by id desc limit 1`,
    )
    expect(task).toEqual({ payload: { serverId: server.id } })
    expect(JSON.stringify(changed)).not.toContain('n3w')
  })

  it('go back to the default of the template, secrets too', async () => {
    const server = await newServer({ spec: { environment: { ...ENVIRONMENT, MAX_PLAYERS: '77' } } })
    await change(server, { MAX_PLAYERS: null, RCON_PASSWORD: null })
    expect((await specOf(server.id)).environment).toMatchObject({ MAX_PLAYERS: '20', RCON_PASSWORD: 'preset' })
  })

  it('are refused by the rules, by field, and then nothing changes', async () => {
    const server = await newServer()
    expect(
      await change(server, { MAX_PLAYERS: '0', MOTD: 'fine', HOST_TOKEN: 'mine', PATH: '/x', GAME_PORT: '22' }),
    ).toEqual({
      ok: false,
      code: 'INVALID_VALUES',
      faults: {
        MAX_PLAYERS: { code: 'atLeast', limit: '1' },
        HOST_TOKEN: { code: 'locked' },
        PATH: { code: 'unknown' },
        GAME_PORT: { code: 'ownPort' },
      },
    })
    expect(await specOf(server.id)).toMatchObject({ generation: 1, environment: ENVIRONMENT })
    expect([await activitiesOf(server.id), (await read(server)).version]).toEqual([[], 0])
  })

  it('of two saves over one version are those of the first, and the second one is told', async () => {
    const server = await newServer()
    const wanted = { version: 0, variables: { MAX_PLAYERS: '30' } }
    const asked = { caller: server.owner, serverId: server.id, requestId: 'req-1', change: wanted }
    const place = { db: database.db, owner: database.owner, statement: 'set port_links = $2, startup_version' }
    const answers = await overtakenWrite(place, (db) => changeStartup(testContext(db), asked))
    expect(answers).toMatchObject([{ ok: true }, { ok: false, code: 'STARTUP_CHANGED' }])
    expect(await activitiesOf(server.id)).toHaveLength(1)
    expect(await change(server, { MAX_PLAYERS: '50' })).toEqual({ ok: false, code: 'STARTUP_CHANGED' })
    expect((await specOf(server.id)).environment).toMatchObject({ MAX_PLAYERS: '30' })
    expect(await change(server, { MOTD: 'both' }, 1)).toMatchObject({ ok: true, startup: { version: 2 } })
  })

  it('do not change, nor rise in version, when nothing is different', async () => {
    const server = await newServer()
    expect(await change(server, { MAX_PLAYERS: '20', MOTD: null })).toMatchObject({ ok: true, startup: { version: 0 } })
    expect([(await specOf(server.id)).generation, await activitiesOf(server.id)]).toEqual([1, []])
  })

  it.each([
    ['suspended', { suspended: true }, 'SERVER_SUSPENDED'],
    ['expired', { expiresAtMs: Date.now() - 1_000 }, 'SERVER_EXPIRED'],
    ['being deleted', { desired: 'deleted' }, 'NOT_FOUND'],
  ] as const)('of a server that is %s stay', async (_, options, code) => {
    const server = await newServer(options)
    expect(await change(server, { MAX_PLAYERS: '30' })).toEqual({ ok: false, code })
    expect((await specOf(server.id)).environment).toEqual(ENVIRONMENT)
  })

  it('are nobody else’s: a stranger gets 404, and a reader is told which permission is missing', async () => {
    const server = await newServer()
    const reader = as(systemIds.next())
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{startup.view}', now())`,
      [server.id, reader.userId],
    )
    expect(await change(server, { MAX_PLAYERS: '30' }, 0, as(systemIds.next()))).toEqual({
      ok: false,
      code: 'NOT_FOUND',
    })
    expect(await change(server, { MAX_PLAYERS: '30' }, 0, reader)).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      permission: 'startup.update',
    })
    const secret = { serverId: server.id, variable: 'RCON_PASSWORD' }
    expect(await revealSecret(context(), { ...secret, caller: reader })).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      permission: 'startup.update',
    })
    expect(JSON.stringify(await read(server, reader))).not.toContain('hunter2')
  })
})

describe('a secret', () => {
  it('is in no list and no page of servers, even of its owner', async () => {
    const server = await newServer()
    const asked = { caller: server.owner, serverId: server.id }
    const shown = [await findServer(context(), asked), ...(await listServers(context(), asked))]
    expect(
      shown.map((each) => each?.variables.find(({ environmentVariable }) => environmentVariable === 'MOTD')?.value),
    ).toEqual(['Hello', 'Hello'])
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|of the host|preset/)
  })

  it('is shown to who may change it, and the log says who looked at which', async () => {
    const server = await newServer()
    const asked = { caller: server.owner, serverId: server.id }
    expect(await revealSecret(context(), { ...asked, variable: 'RCON_PASSWORD' })).toEqual({
      ok: true,
      value: 'hunter2',
    })
    expect(await activitiesOf(server.id)).toMatchObject([
      { type: 'server:startup.reveal', detail: { text: 'RCON_PASSWORD' } },
    ])
    // The names are of the host, of no secret, and unknown.
    for (const variable of ['HOST_TOKEN', 'MOTD', 'GONE', 'PATH']) {
      expect(await revealSecret(context(), { ...asked, variable })).toEqual({ ok: false, code: 'NOT_FOUND' })
    }
    expect(await activitiesOf(server.id)).toHaveLength(1)
  })
})

describe('the image of a server', () => {
  it('is one of its template’s list, and the node may run all of them', async () => {
    const server = await newServer({ spec: { image: PINNED('a'), images: [PINNED('a')] } })
    const choices = [
      { label: 'One', image: PINNED('a') },
      { label: 'Two', image: PINNED('b') },
    ]
    expect((await read(server)).image).toEqual({ current: PINNED('a'), choices })
    expect(await image(server, PINNED('b'))).toMatchObject({ ok: true, startup: { image: { current: PINNED('b') } } })
    expect(await specOf(server.id)).toMatchObject({
      generation: 2,
      image: PINNED('b'),
      images: [PINNED('a'), PINNED('b')],
      environment: ENVIRONMENT,
    })
    expect(await activitiesOf(server.id)).toMatchObject([{ type: 'server:startup.image', detail: { text: 'Two' } }])
  })

  it.each([PINNED('c'), 'registry.example/game:latest', '~own:1', 'file:///etc/passwd', `${PINNED('a')}\n`])(
    'is never %j [case 115]',
    async (wanted) => {
      const server = await newServer({ spec: { image: PINNED('a'), images: [PINNED('a')] } })
      expect(await image(server, wanted)).toEqual({ ok: false, code: 'IMAGE_NOT_LISTED' })
      expect((await specOf(server.id)).image).toBe(PINNED('a'))
    },
  )

  it('does not exist on a node without containers', async () => {
    expect(await image(await newServer(), PINNED('a'))).toEqual({ ok: false, code: 'IMAGE_NOT_LISTED' })
  })
})

describe('a variable that contains a port', () => {
  it('follows the primary port, whoever changes the ports', async () => {
    const server = await newServer()
    expect(await change(server, { GAME_PORT: 'primary', QUERY_PORT: '25001' })).toMatchObject({ ok: true })
    expect((await specOf(server.id)).environment).toMatchObject({ GAME_PORT: '25000', QUERY_PORT: '25001' })
    const other = ALLOCATIONS.map((each) => ({ ...each, primary: !each.primary }))
    await database.db.query(
      `update control.servers set spec = spec || jsonb_build_object('allocations', $2::jsonb) where id = $1`,
      [server.id, JSON.stringify(other)],
    )
    expect((await specOf(server.id)).environment).toMatchObject({ GAME_PORT: '25001', QUERY_PORT: '25001' })
    const { variables } = await read(server)
    expect(variables.flatMap(({ port, isDefault }) => (port ? [{ ...port, isDefault }] : []))).toEqual([
      { link: 'primary', default: 'primary', isDefault: true },
      { link: '25001', default: '25001', isDefault: true },
    ])
  })

  it('keeps its place when the server moves to another node', async () => {
    const server = await newServer()
    await change(server, { QUERY_PORT: '25001' })
    const after = ALLOCATIONS.map((each) => ({ ...each, port: each.port + 5_000 }))
    await movePortLinks(database.db, server.id, { before: ALLOCATIONS, after })
    await database.db.query(
      `update control.servers set spec = spec || jsonb_build_object('allocations', $2::jsonb) where id = $1`,
      [server.id, JSON.stringify(after)],
    )
    expect((await specOf(server.id)).environment).toMatchObject({ QUERY_PORT: '30001' })
  })

  it('that has another number says so, and is linked by choice', async () => {
    const server = await newServer({ spec: { environment: { ...ENVIRONMENT, GAME_PORT: '4', QUERY_PORT: '25001' } } })
    const ports = (await read(server)).variables.flatMap(({ port, value }) => (port ? [[value, port.link]] : []))
    expect(ports).toEqual([
      ['4', null],
      ['25001', '25001'],
    ])
  })
})
