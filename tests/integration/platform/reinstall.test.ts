import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { ReinstallRequest } from '#contracts/http/panel/reinstall.ts'
import { systemIds } from '#platform/ids.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { reinstallServer } from '../../../control-plane/servers/settings/reinstall-server.ts'
import { lockServer } from '../../../control-plane/servers/store/server-store.ts'
import { addNode, addServer, makeReachable, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { observing } from '../../factories/observing.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
  await makeReachable(database.owner, node.nodeId)
})
afterAll(() => database.close())

const as = (userId: string): Caller => ({
  userId,
  sessionId: null,
  isAdmin: false,
  isSupport: false,
  isVerified: true,
  locale: 'hu',
  address: '192.0.2.1',
  way: 'panel',
})

const newServer = async (options: ServerOptions = {}, at = node) => {
  const { id, ownerId } = await addServer(database.owner, at.nodeId, { installed: true, state: 'running', ...options })
  return { id, ownerId }
}

const order = (
  { id, ownerId }: { id: string; ownerId: string },
  request: Partial<ReinstallRequest> = {},
  caller = as(ownerId),
) =>
  reinstallServer(testContext(database.db), {
    caller,
    serverId: id,
    requestId: 'req-1',
    request: { name: 'Test', files: 'keep', ...request },
  })

const commandsOf = (id: string) =>
  database.owner.query<{ id: string; kind: string; wipe: boolean | null; state: string }>(
    `select id, kind, (body ->> 'wipe')::boolean as wipe, state from control.commands where server_id = $1 order by id`,
    [id],
  )
const activitiesOf = (id: string) =>
  database.owner.query(
    'select user_id, type, status, way, done_by from control.activities where server_id = $1 order by id',
    [id],
  )
const powerOf = async (id: string) =>
  (await database.owner.query('select desired_power from control.servers where id = $1', [id]))[0]

const finish = async (id: string, ok: boolean) => {
  const [command] = await commandsOf(id)
  const deps = { ...observing(testContext(database.db)), metrics: undefined as never }
  const event = {
    kind: 'command.finished' as const,
    seq: 1,
    atMs: Date.now(),
    commandId: command?.id ?? '',
    serverId: id,
    ok,
    code: ok ? 'OK' : 'INSTALL_FAILED',
    detail: '',
  }
  await database.db.transaction((tx) => observeEvent(tx, deps, { nodeId: node.nodeId, event }))
}

describe('a reinstallation', () => {
  it.each([
    ['keep', false],
    ['wipe', true],
  ] as const)('with files: %s is one command for the node of this server alone', async (files, wipe) => {
    const server = await newServer()
    const neighbor = await newServer({ ownerId: server.ownerId })
    expect(await order(server, { files })).toEqual({ ok: true })
    expect(await commandsOf(server.id)).toMatchObject([{ kind: 'reinstall', wipe, state: 'pending' }])
    expect(await commandsOf(neighbor.id)).toEqual([])
    expect(await powerOf(server.id)).toEqual({ desired_power: 'stopped' })
    expect(await activitiesOf(server.id)).toEqual([
      { user_id: server.ownerId, type: `server:reinstall.${files}`, status: 'success', way: 'panel', done_by: 'user' },
    ])
  })

  it('can be repeated after one that failed', async () => {
    const server = await newServer({ state: 'install_failed' })
    expect(await order(server)).toEqual({ ok: true })
  })

  it.each([
    ['suspended', { suspended: true }, 'SERVER_SUSPENDED'],
    ['expired', { expiresAtMs: Date.now() - 1_000 }, 'SERVER_EXPIRED'],
    ['being deleted', { desired: 'deleted' }, 'INVALID_STATE'],
    ['being installed', { state: 'installing' }, 'INVALID_STATE'],
    ['never installed', { state: 'install_failed', installed: false }, 'INVALID_STATE'],
    ['unknown to its node', { state: 'unknown' }, 'INVALID_STATE'],
    ['stopping', { state: 'stopping' }, 'POWER_ACTION_RUNNING'],
  ] as const)('of a server that is %s is refused', async (_, options, code) => {
    const server = await newServer(options)
    expect(await order(server)).toEqual({ ok: false, code })
    expect([await commandsOf(server.id), await activitiesOf(server.id)]).toEqual([[], []])
    expect(await powerOf(server.id)).toEqual({ desired_power: 'running' })
  })

  it('is refused while another one is open, and of two at once one is carried out', async () => {
    const server = await newServer()
    const answers = await Promise.all([order(server), order(server, { files: 'wipe' })])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter(({ ok }) => !ok)).toEqual([{ ok: false, code: 'INVALID_STATE' }])
    expect(await commandsOf(server.id)).toHaveLength(1)
  })

  it('needs the present name of this server', async () => {
    const server = await newServer()
    expect(await order(server, { name: 'test', files: 'wipe' })).toEqual({ ok: false, code: 'OTHER_NAME' })
    expect(await commandsOf(server.id)).toEqual([])
  })

  it('is refused while the node is away', async () => {
    const server = await newServer({}, await addNode(database.owner))
    expect(await order(server)).toEqual({ ok: false, code: 'NODE_UNREACHABLE' })
  })

  it('that removes the files is refused while the machine’s agent cannot, and keeping them is possible', async () => {
    const old = await addNode(database.owner)
    await makeReachable(database.owner, old.nodeId)
    await database.owner.query(`update control.nodes set capabilities = '{}' where id = $1`, [old.nodeId])
    const server = await newServer({}, old)
    expect(await order(server, { files: 'wipe' })).toEqual({ ok: false, code: 'NODE_OUTDATED' })
    expect([await commandsOf(server.id), await activitiesOf(server.id)]).toEqual([[], []])
    expect(await powerOf(server.id)).toEqual({ desired_power: 'running' })
    expect(await order(server, { files: 'keep' })).toEqual({ ok: true })
  })

  it('is nobody else’s: a stranger gets 404, and a sub-user is told which permission is missing', async () => {
    const server = await newServer()
    const reader = systemIds.next()
    expect(await order(server, {}, as(reader))).toEqual({ ok: false, code: 'NOT_FOUND' })
    const share = (permissions: string[]) =>
      database.owner.query(
        `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())
         on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
        [server.id, reader, permissions],
      )
    await share(['settings.rename', 'file.list', 'control.start'])
    const permission = 'settings.reinstall'
    expect(await order(server, {}, as(reader))).toEqual({ ok: false, code: 'FORBIDDEN', permission })
    expect(await commandsOf(server.id)).toEqual([])
    await share([permission])
    expect(await order(server, {}, as(reader))).toEqual({ ok: true })
  })

  it('tells its owner when the server is ready, once', async () => {
    const server = await newServer()
    await order(server)
    await finish(server.id, true)
    await finish(server.id, true)
    const notices = await database.owner.query('select text, data from control.notifications where user_id = $1', [
      server.ownerId,
    ])
    expect(notices).toEqual([{ text: 'server.installed', data: { sid: server.id, name: 'Test' } }])
  })

  it('that failed is in the log of the server', async () => {
    const server = await newServer()
    await order(server)
    await finish(server.id, false)
    expect((await activitiesOf(server.id)).at(-1)).toMatchObject({
      type: 'server:reinstall.failed',
      status: 'failure',
      done_by: 'server',
    })
    const notices = await database.owner.query('select 1 from control.notifications where user_id = $1', [
      server.ownerId,
    ])
    expect(notices).toEqual([])
  })
  it.each([true, false])('that ends (ok: %s) waits for nobody who holds the server', async (ok) => {
    const server = await newServer()
    await order(server)
    let finishing: Promise<void> | undefined
    const ended = await database.owner.transaction(async (tx) => {
      await lockServer(tx, server.id)
      finishing = finish(server.id, ok)
      return Promise.race([finishing.then(() => 'ended'), setTimeout(30_000, 'waits', { ref: false })])
    })
    await finishing
    // A transaction that holds the server goes on to its commands: a deadlock, if the end waited here with its command.
    expect(ended).toBe('ended')
    expect(await commandsOf(server.id)).toMatchObject([{ state: ok ? 'finished' : 'failed' }])
  })
})
