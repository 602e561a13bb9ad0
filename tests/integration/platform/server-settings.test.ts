import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdentityChange, OperationChange } from '#contracts/http/panel/server-settings.ts'
import { systemIds } from '#platform/ids.ts'
import { changeIdentity, changeOperation } from '../../../control-plane/servers/settings/change-settings.ts'
import { readSettings } from '../../../control-plane/servers/settings/server-settings.ts'
import { noteStart } from '../../../control-plane/servers/startup/startup-store.ts'
import { readServers, specFor } from '../../../control-plane/servers/store/server-store.ts'
import { addNode, addServer, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { as } from '../../factories/ported-servers.ts'
import { overtakenWrite } from '../../support/overtaken-write.ts'

let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
})
afterAll(() => database.close())

const SERVER = { name: 'Old name', description: '' }
const OPERATION = { timeZone: null, autoStart: true, stopTimeoutS: 30 }
const newServer = async (options: ServerOptions = {}) => {
  const spec = { stopTimeoutMs: 30_000, ...options.spec }
  const made = await addServer(database.owner, node.nodeId, { installed: true, state: 'offline', ...options, spec })
  await database.owner.query('update control.servers set name = $2 where id = $1', [made.id, SERVER.name])
  return { ...made, ask: { caller: as(made.ownerId), serverId: made.id, requestId: 'req-1' } }
}
type Asked = Awaited<ReturnType<typeof newServer>>['ask']
const rename = (ask: Asked, change: Partial<IdentityChange>) =>
  changeIdentity(testContext(database.db), { ...ask, change: { ...SERVER, seen: SERVER, ...change } })
const operate = (ask: Asked, change: Partial<OperationChange>) =>
  changeOperation(testContext(database.db), { ...ask, change: { ...OPERATION, seen: OPERATION, ...change } })
const stored = async (serverId: string) => {
  const [server] = await readServers(database.db, 's.id = $1', [serverId])
  if (server === undefined) throw new Error('The server is gone.')
  return server
}
const log = (serverId: string) =>
  database.owner.query('select type, detail from control.activities where server_id = $1 order by id', [serverId])
const wakes = async (topic: string, part: object) =>
  (
    await database.owner.query('select 1 from control.outbox where topic = $1 and payload @> $2', [
      topic,
      JSON.stringify(part),
    ])
  ).length

describe('name and description', () => {
  it('are stored, reach the node and every open page, and the log has the names, but no description', async () => {
    const { id, ownerId, ask } = await newServer()
    const description = 'Two lines\nof text'
    const result = await rename(ask, { name: 'New name', description })
    expect(result).toMatchObject({ ok: true, settings: { name: 'New name', description } })
    const server = await stored(id)
    expect([server.name, server.description, specFor(server).name]).toEqual(['New name', description, 'New name'])
    expect(await log(id)).toEqual([
      { type: 'server:settings.rename', detail: { before: 'Old name', after: 'New name' } },
      { type: 'server:settings.description', detail: {} },
    ])
    expect(await wakes('provision-server', { serverId: id })).toBe(1)
    expect(await wakes('browser-event', { userIds: [ownerId], message: { event: 'resync' } })).toBe(1)
  })

  it('that stay as they are change and tell nothing', async () => {
    const { id, ask } = await newServer()
    const { generation } = await stored(id)
    expect(await rename(ask, {})).toMatchObject({ ok: true })
    expect([(await stored(id)).generation, await log(id)]).toEqual([generation, []])
    expect(await wakes('provision-server', { serverId: id })).toBe(0)
  })

  it('of two people at once are those of the first, and the second one is told', async () => {
    const { id, ask } = await newServer()
    const change = { ...SERVER, seen: SERVER }
    let names = ['First', 'Second']
    const place = { db: database.db, owner: database.owner, statement: 'update control.servers set name' }
    const answers = await overtakenWrite(place, (db) => {
      const [name = ''] = names
      names = names.slice(1)
      return changeIdentity(testContext(db), { ...ask, change: { ...change, name } })
    })
    expect(answers).toMatchObject([{ ok: true }, { ok: false, code: 'SETTINGS_CHANGED' }])
    expect((await stored(id)).name).toBe('First')
    expect(await log(id)).toHaveLength(1)
  })
})

describe('how a server is run', () => {
  it('reaches the specification of its node, and the log has each change', async () => {
    const { id, ask } = await newServer()
    const after = { timeZone: 'Asia/Tokyo', autoStart: false, stopTimeoutS: 120 }
    expect(await operate(ask, after)).toMatchObject({ ok: true, settings: after })
    const server = await stored(id)
    expect(specFor(server)).toMatchObject({ timeZone: 'Asia/Tokyo', autoStart: false, stopTimeoutMs: 120_000 })
    expect(await log(id)).toEqual([
      { type: 'server:settings.time-zone', detail: { after: 'Asia/Tokyo' } },
      { type: 'server:settings.auto-start-off', detail: {} },
      { type: 'server:settings.stop-timeout', detail: { before: '30 s', after: '120 s' } },
    ])
    expect(await operate(ask, {})).toEqual({ ok: false, code: 'SETTINGS_CHANGED' })
  })

  it('switching automatic start on starts no server that lies still', async () => {
    const { id, ask } = await newServer({ power: 'running', spec: { autoStart: false } })
    const off = { ...OPERATION, autoStart: false }
    expect(await operate(ask, { autoStart: true, seen: off })).toMatchObject({ ok: true })
    expect((await stored(id)).desiredPower).toBe('stopped')
    const live = await newServer({ state: 'running', power: 'running', spec: { autoStart: false } })
    expect(await operate(live.ask, { autoStart: true, seen: off })).toMatchObject({ ok: true })
    expect((await stored(live.id)).desiredPower).toBe('running')
  })

  it('a running program keeps its time zone until its restart, which is said', async () => {
    const { id, ask } = await newServer({ state: 'running', power: 'running' })
    const started = async () => {
      const { generation } = await stored(id)
      await database.db.transaction((tx) => noteStart(tx, { serverId: id, generation }))
    }
    await started()
    const said = async () => {
      const read = await readSettings(database, ask)
      return read.ok && read.settings.needsRestart
    }
    expect(await said()).toBe(false)
    await operate(ask, { stopTimeoutS: 60 })
    expect(await said()).toBe(false)
    await operate(ask, { timeZone: 'UTC', seen: { ...OPERATION, stopTimeoutS: 60 }, stopTimeoutS: 60 })
    expect(await said()).toBe(true)
    await started()
    expect(await said()).toBe(false)
  })
})

describe('who may', () => {
  it.each([
    ['suspended', { suspended: true }, 'SERVER_SUSPENDED'],
    ['expired', { expiresAtMs: 1 }, 'SERVER_EXPIRED'],
    ['being deleted', { desired: 'deleted' }, 'NOT_FOUND'],
  ] as const)('nobody changes a server that is %s', async (_name, options, code) => {
    const { id, ask } = await newServer(options)
    expect(await rename(ask, { name: 'New' })).toEqual({ ok: false, code })
    expect(await operate(ask, { autoStart: false })).toEqual({ ok: false, code })
    expect([(await stored(id)).name, await log(id)]).toEqual([SERVER.name, []])
  })

  it('for a stranger the server does not exist', async () => {
    const { id, ask } = await newServer()
    const stranger = { ...ask, caller: as(systemIds.next()) }
    const answers = [await rename(stranger, { name: 'New' }), await operate(stranger, { autoStart: false })]
    expect([...answers, await readSettings(database, stranger)]).toEqual(
      Array(3).fill({ ok: false, code: 'NOT_FOUND' }),
    )
    expect((await stored(id)).name).toBe(SERVER.name)
  })
})
