import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { loadConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { filesToken } from '../../../control-plane/servers/access/files-token.ts'
import {
  addPort,
  listPorts,
  makePortPrimary,
  notePort,
  removePort,
} from '../../../control-plane/servers/ports/change-ports.ts'
import { checkPort } from '../../../control-plane/servers/ports/check-port.ts'
import { addNode, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { as, portedServers, type PortedServer } from '../../factories/ported-servers.ts'

let database: PlatformDatabase
let node: FleetNode
let { deps, newServer, rowsOf, specOf, idOf, observed } = {} as ReturnType<typeof portedServers>
beforeAll(async () => {
  database = await platformDatabase(40)
  ;({ deps, newServer, rowsOf, specOf, idOf, observed } = portedServers(database, () => node))
})
afterAll(() => database.close())
beforeEach(async () => {
  node = await addNode(database.owner, 'http://node.test:25003')
  await makeReachable(database.owner, node.nodeId)
})

describe('who may', () => {
  const deeds = async (made: PortedServer, caller: ReturnType<typeof as>, probed: object[]) => {
    const { id: serverId } = made
    await addPort(deps(), { ...made.ask, note: '' })
    const [primary, other] = await Promise.all([idOf(serverId, 25_000), idOf(serverId, 25_001)])
    const ask = { caller, serverId, requestId: 'r' }
    const probe = (target: object) => {
      probed.push(target)
      return Promise.resolve('open' as const)
    }
    return {
      list: await listPorts(deps(), ask),
      note: await notePort(deps(), { ...ask, portId: other, note: 'by somebody' }),
      check: await checkPort({ ...deps(), probe }, { ...ask, portId: primary }),
      primary: await makePortPrimary(deps(), { ...ask, portId: primary }),
      add: await addPort(deps(), { ...ask, note: '' }),
      remove: await removePort(deps(), { ...ask, portId: other }),
    }
  }
  const OPENS: Partial<Record<Permission, readonly string[]>> = {
    'allocation.view': ['list', 'check'],
    'allocation.create': ['add'],
    'allocation.update': ['note', 'primary'],
    'allocation.remove': ['remove'],
  }

  it.each(PERMISSIONS)(
    'a sub-user with %s does what it opens, and is told which permission is missing',
    async (permission) => {
      const made = await newServer(25_000)
      const userId = systemIds.next()
      await database.owner.query(
        'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
        [made.id, userId, ['allocation.view', permission]],
      )
      const probed: object[] = []
      const done = await deeds(made, as(userId), probed)
      const opened = new Set([...(OPENS['allocation.view'] ?? []), ...(OPENS[permission] ?? [])])
      for (const [deed, result] of Object.entries(done)) {
        expect([deed, result.ok]).toEqual([deed, opened.has(deed)])
        if (result.ok) continue
        expect(result.code).toBe('FORBIDDEN')
        expect(OPENS[String(result.params?.['permission']) as Permission]).toContain(deed)
      }
      expect(probed).toEqual([{ ip: '127.0.0.1', port: 25_000 }])
    },
  )

  it('without the permission to view nobody lists or checks', async () => {
    const made = await newServer(25_000)
    const userId = systemIds.next()
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console.read}', now())`,
      [made.id, userId],
    )
    const probed: object[] = []
    const done = await deeds(made, as(userId), probed)
    expect(Object.values(done).map((each) => (each.ok ? 'ok' : each.code))).toEqual(Array(6).fill('FORBIDDEN'))
    expect(probed).toEqual([])
  })

  it('for strangers and support the server does not exist, and a strange port does not either', async () => {
    const made = await newServer(25_000)
    const probed: object[] = []
    const before = await specOf(made.id)
    for (const caller of [as(systemIds.next()), { ...as(systemIds.next()), isSupport: true as never }]) {
      const done = await deeds(made, caller, probed)
      expect(Object.values(done).map((each) => (each.ok ? 'ok' : each.code))).toEqual(Array(6).fill('NOT_FOUND'))
      await removePort(deps(), { ...made.ask, portId: await idOf(made.id, 25_001) })
    }
    expect((await specOf(made.id)).ports).toEqual(before.ports)
    const other = await newServer(25_050)
    const portId = await idOf(made.id, 25_000)
    const probe = () => Promise.reject(new Error('Nothing is probed.'))
    expect(await checkPort({ ...deps(), probe }, { ...other.ask, portId })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await removePort(deps(), { ...other.ask, portId })).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await makePortPrimary(deps(), { ...other.ask, portId })).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await notePort(deps(), { ...other.ask, portId, note: 'mine' })).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await rowsOf(made.id)).toMatchObject([{ port: 25_000, note: '' }, {}])
    expect(probed).toEqual([])
  })

  it.each([
    ['suspended', { suspended: true }, 'SERVER_SUSPENDED'],
    ['expired', { expiresAtMs: 1 }, 'SERVER_EXPIRED'],
    ['not installed', { installed: false, state: 'installing' }, 'INVALID_STATE'],
    ['being deleted', { desired: 'deleted' }, 'NOT_FOUND'],
  ] as const)('nobody changes the ports of a server that is %s', async (_name, options, code) => {
    const { id, ask } = await newServer(25_000, options)
    const portId = await idOf(id, 25_000)
    expect(await addPort(deps(), { ...ask, note: '' })).toEqual({ ok: false, code })
    expect(await notePort(deps(), { ...ask, portId, note: 'x' })).toEqual({ ok: false, code })
    expect(await makePortPrimary(deps(), { ...ask, portId })).toEqual({ ok: false, code })
    expect(await removePort(deps(), { ...ask, portId })).toEqual({ ok: false, code })
    expect(await specOf(id)).toMatchObject({ ports: [25_000], generation: 1 })
  })
})

describe('the check from outside', () => {
  it('goes to the address of the machine, and to no other', async () => {
    const { id, ask } = await newServer(25_000)
    const portId = await idOf(id, 25_000)
    const probed: object[] = []
    const probe = (target: { ip: string; port: number }) => {
      probed.push({ ip: target.ip, port: target.port })
      return Promise.resolve('closed' as const)
    }
    expect(await checkPort({ ...deps(0), probe }, { ...ask, portId })).toEqual({
      ok: true,
      check: { tcp: 'closed', checkedAt: '1970-01-01T00:00:00.000Z' },
    })
    expect(probed).toEqual([{ ip: '127.0.0.1', port: 25_000 }])
    // The machine has another address now; the earlier one may be somebody else's.
    await database.owner.query(`update cms_api.computers set ip = '192.0.2.77' where id = $1`, [node.computerId])
    expect(await checkPort({ ...deps(), probe }, { ...ask, portId })).toEqual({ ok: false, code: 'INVALID_STATE' })
    expect(probed).toHaveLength(1)
  })

  it('finds the machine by its address, in the way staff wrote it', async () => {
    const { id, ask } = await newServer(25_000)
    const portId = await idOf(id, 25_000)
    await database.owner.query(`update control.allocations set ip = '2001:db8::10' where id = $1`, [portId])
    const probe = (target: object) => {
      expect(target).toEqual({ ip: '2001:db8::10', port: 25_000 })
      return Promise.resolve('open' as const)
    }
    const answers: (string | undefined)[] = []
    for (const ip of ['2001:db8::10', '2001:0DB8:0:0:0:0:0:10', '2001:db8::11', '2001:db8::10.0.0.0']) {
      await database.owner.query('update cms_api.computers set ip = $1 where id = $2', [ip, node.computerId])
      const checked = await checkPort({ ...deps(), probe }, { ...ask, portId })
      answers.push(checked.ok ? checked.check.tcp : checked.code)
    }
    expect(answers).toEqual(['open', 'open', 'INVALID_STATE', 'INVALID_STATE'])
  })

  it('of a port that leaves does not happen, and too many at once are busy', async () => {
    const { id, ask } = await newServer(25_000, { state: 'running' })
    await addPort(deps(), { ...ask, note: '' })
    await observed(id, 'running', 2, 2)
    const portId = await idOf(id, 25_001)
    const probe = () => Promise.resolve('busy' as const)
    expect(await checkPort({ ...deps(), probe }, { ...ask, portId })).toEqual({ ok: false, code: 'BUSY' })
    await removePort(deps(), { ...ask, portId })
    expect(await checkPort({ ...deps(), probe }, { ...ask, portId })).toEqual({ ok: false, code: 'NOT_FOUND' })
  })
})

it('the token for what listens is of its own kind, and needs the permission to view', async () => {
  const made = await newServer(25_000)
  const consoleKey = await loadConsoleKey(deps(), 'the secret of the control plane')
  const request = { purpose: 'ports' } as const
  const access = await filesToken({ ...deps(), consoleKey }, { caller: made.ask.caller, serverId: made.id, request })
  if (!access.ok) throw new Error(access.code)
  expect(access.value.path).toBe(`/servers/${made.id}/ports`)
  expect(decodeProtectedHeader(access.value.token).typ).toBe('ports+jwt')
  expect(decodeJwt(access.value.token)).toMatchObject({ purpose: 'ports', server: made.id, aud: node.nodeId })
  const userId = systemIds.next()
  await database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{file.list}', now())`,
    [made.id, userId],
  )
  expect(await filesToken({ ...deps(), consoleKey }, { caller: as(userId), serverId: made.id, request })).toEqual({
    ok: false,
    code: 'FORBIDDEN',
    permission: 'allocation.view',
  })
})
