import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PlayerQuery } from '#contracts/agent/player-query.ts'
import { AgentCommand } from '#contracts/agent/session.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { reinstallServer } from '../../../control-plane/servers/settings/reinstall-server.ts'
import { addNode, addServer, makeReachable, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { as } from '../../factories/ported-servers.ts'

const CSGO = { type: 'csgo', port: null }
let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
})
// Its session lasts 30 s.
beforeEach(() => makeReachable(database.owner, node.nodeId))
afterAll(() => database.close())

/** A server, and its template, which is saved with this query. */
const server = async (query: PlayerQuery | null, options: ServerOptions = {}) => {
  const ready: ServerOptions = { installed: true, state: 'offline', power: 'stopped' }
  const made = await addServer(database.owner, node.nodeId, { ...ready, ...options })
  const templateId = systemIds.next()
  await database.owner.query(
    `insert into cms_api.templates (id, slug, name, description, runtimes, startup_argv, query_type, query_port)
     values ($1, 'game', 'Game', '{}', '{process}', '{node}', $2, $3)`,
    [templateId, query?.type ?? null, query?.port ?? null],
  )
  await database.owner.query('update control.servers set template_id = $2 where id = $1', [made.id, templateId])
  return { ...made, templateId }
}
type Made = Awaited<ReturnType<typeof server>>
const start = ({ id, ownerId }: Made) =>
  requestPower(testContext(database.db), {
    caller: as(ownerId),
    serverId: id,
    action: 'start',
    requestId: 'req-1',
  })
/** The last command as its node reads it. */
const sent = async ({ id }: Made) => {
  const rows = await database.owner.query<{ body: unknown }>(
    'select body from control.commands where server_id = $1 order by created_at desc, id desc limit 1',
    [id],
  )
  const command = AgentCommand.parse(rows[0]?.body)
  if (command.kind === 'delete') throw new Error('A deletion has no specification.')
  return command
}
const kept = async ({ id }: Made) =>
  (await database.owner.query('select spec from control.servers where id = $1', [id]))[0]

it('reaches the node with each kind of command, and the specification stays as it is', async () => {
  const powered = await server(CSGO)
  const before = await kept(powered)
  expect(await start(powered)).toMatchObject({ ok: true })
  const { spec } = await sent(powered)
  expect(spec.query).toEqual(CSGO)
  const { query: _added, expiresAtMs: _expiry, ...rest } = spec
  expect({ spec: rest }).toEqual(before)
  expect(await kept(powered)).toEqual(before)

  const reinstalled = await server(CSGO)
  const asked = { serverId: reinstalled.id, requestId: 'req-1', request: { name: 'Test', files: 'keep' } } as const
  expect(await reinstallServer(testContext(database.db), { ...asked, caller: as(reinstalled.ownerId) })).toMatchObject({
    ok: true,
  })
  expect((await sent(reinstalled)).spec.query).toEqual(CSGO)

  for (const [kind, options] of [
    ['install', { installed: false, state: 'creating', observedGeneration: 0 }],
    ['update', { generation: 2, observedGeneration: 1 }],
  ] as const) {
    const made = await server(CSGO, options)
    await reconcileServer(made.id, '', { ...testContext(database.db), metrics: createMetrics() })
    expect(await sent(made)).toMatchObject({ kind, spec: { query: CSGO } })
  }
})

it('is the one that staff have set, corrected or removed since the order', async () => {
  const old = { query: { type: 'rust', port: 1 } }
  for (const query of [{ type: 'conanexiles', port: 3 }, CSGO, null]) {
    const made = await server(query, { spec: old })
    await start(made)
    expect((await sent(made)).spec.query).toEqual(query)
  }
})

it('stays that of the order if the template is gone, or says what no node would read', async () => {
  const old = { type: 'rust', port: 1 }
  const gone = await server(CSGO, { spec: { query: old } })
  await database.owner.query('delete from cms_api.templates where id = $1', [gone.templateId])
  const odd = await server({ type: 'csgo', port: 20 }, { spec: { query: old } })
  for (const made of [gone, odd]) {
    expect(await start(made)).toMatchObject({ ok: true })
    expect((await sent(made)).spec.query).toEqual(old)
  }
})

it('stops no command while the view of the templates is that of an earlier release', async () => {
  const made = await server(CSGO, { spec: { query: { type: 'rust', port: 1 } } })
  await database.owner.query('alter table cms_api.templates drop column query_type, drop column query_port')
  expect(await start(made)).toMatchObject({ ok: true })
  expect((await sent(made)).spec.query).toEqual({ type: 'rust', port: 1 })
})
