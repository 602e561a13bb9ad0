import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type Caller, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { isSeenCall } from '#contracts/internal-api/seen-calls.ts'
import { readingOnly, withNeeds } from '#domain/servers/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { refuseWhileSeeing } from '../../../control-plane/api/seeing-as.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { accessOf, lockedAccess } from '../../../control-plane/servers/access/server-access.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith } from '../../factories/shop.ts'
import type { paymentContext } from '../../factories/till.ts'

const BUILDER = withNeeds(['console.command', 'control.start', 'file.update', 'allocation.update', 'startup.update'])
const MANAGER = withNeeds(['user.update', 'console.command', 'file.list'])
let database: ControlDatabase
let context: ReturnType<typeof paymentContext>
let call: (name: InternalCallName, input: object) => Promise<{ status: number; json: unknown }>
const [owner, builder, manager, guest] = [{ ...callerOf('') }, systemIds.next(), systemIds.next(), systemIds.next()]
const place = { serverId: '', otherId: '', portId: '' }

beforeAll(async () => {
  database = await shopDatabase()
  const shop = await openShop(database.owner)
  const api = await openInternalApi(database.db)
  context = api.context
  call = api.call
  Object.assign(owner, callerOf(await userWith(database.db, 9000n)))
  for (const key of ['serverId', 'otherId'] as const) {
    const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: key }
    const placed = await call('order', { caller: owner, request })
    place[key] = INTERNAL_CALLS.order.output.parse(placed.json).server.id
    await settleOrder(orderContext(database.db), { serverId: place[key], outcome: 'installed', reason: '' })
  }
  const [port] = await database.owner.query<{ id: string }>('select id from control.allocations where server_id = $1', [
    place.serverId,
  ])
  place.portId = port?.id ?? ''
})
beforeEach(async () => {
  await database.owner.query('delete from control.server_users')
  await share(builder, BUILDER)
  await share(manager, MANAGER)
  await share(guest, ['console.read'])
})
afterAll(() => database.close())

const share = (userId: string, permissions: readonly string[], endsAt: Date | null = null) =>
  database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, ends_at, created_at) values ($1, $2, $3, $4, now())
     on conflict (server_id, user_id) do update set permissions = excluded.permissions, ends_at = excluded.ends_at`,
    [place.serverId, userId, permissions, endsAt],
  )

/** The answers to a caller who views a server as a collaborator. */
const seen = (
  name: InternalCallName,
  {
    caller = owner,
    seesAs,
    serverId = place.serverId,
    ...input
  }: { caller?: Caller; seesAs: string } & Record<string, unknown>,
) => call(name, { caller: { ...caller, seesAs }, serverId, ...input })

const permissionsSeen = async (asked: Parameters<typeof seen>[1]): Promise<Permission[]> =>
  INTERNAL_CALLS.server.output.parse((await seen('server', asked)).json).permissions

const tokenOf = async (name: 'console-access' | 'node-token', asked: Parameters<typeof seen>[1]) => {
  const { token } = (await seen(name, asked)).json as { token: string }
  return decodeJwt(token)
}
const NOT_THERE = { status: 404, json: { error: { code: 'NOT_FOUND' } } }
const REFUSED = { status: 403, json: { error: { code: 'SEEING_AS' } } }

describe('a view of the panel as a collaborator', () => {
  it('sees the server with that person’s permissions, and gets tokens that only look and say so', async () => {
    expect(await permissionsSeen({ seesAs: builder })).toEqual(BUILDER)
    const looks = readingOnly(BUILDER)
    const { sub, permissions, seesAs, seen: as } = await tokenOf('console-access', { seesAs: builder })
    expect([sub, permissions, seesAs, as]).toEqual([owner.userId, looks, true, builder])
    const files = await tokenOf('node-token', { seesAs: builder, request: { purpose: 'files' } })
    expect([files['permissions'], files['seesAs'], files['seen']]).toEqual([looks, true, builder])
    // Without it the owner is the owner again.
    const own = decodeJwt(
      INTERNAL_CALLS['console-access'].output.parse(
        (await call('console-access', { caller: owner, serverId: place.serverId })).json,
      ).token,
    )
    expect([own['permissions'], 'seesAs' in own, 'seen' in own]).toEqual([[...PERMISSIONS], false, false])
  })

  it('is refused what that person may not see, by the name of the permission', async () => {
    for (const [name, permission, input] of [
      ['server-ports', 'allocation.view', {}],
      ['server-startup', 'startup.view', {}],
      ['server-activities', 'activity.view', {}],
      ['collaborators', 'user.list', {}],
      ['node-token', 'file.list', { request: { purpose: 'files' } }],
    ] as const) {
      const refusal = { status: 403, json: { error: { code: 'FORBIDDEN', params: { permission } } } }
      expect(await seen(name, { seesAs: guest, ...input })).toEqual(refusal)
    }
    const server = INTERNAL_CALLS.server.output.parse((await seen('server', { seesAs: guest })).json)
    expect([server.permissions, server.subusers, server.startup]).toEqual([['console.read'], [], ''])
  })

  it('sees in the activities what a collaborator sees: no contract, and no address', async () => {
    await share(guest, ['activity.view'])
    const page = INTERNAL_CALLS['server-activities'].output.parse(
      (await seen('server-activities', { seesAs: guest })).json,
    )
    expect(page.items.filter(({ group }) => group === 'contract')).toEqual([])
    expect(page.items.filter(({ sees }) => sees === 'place')).toEqual([])
    const own = INTERNAL_CALLS['server-activities'].output.parse(
      (await call('server-activities', { caller: owner, serverId: place.serverId })).json,
    )
    expect(own.items.some(({ group }) => group === 'contract')).toBe(true)
  })

  it('never has more than their own: a manager sees of a builder what both have', async () => {
    const asManager = callerOf(manager)
    expect(await permissionsSeen({ caller: asManager, seesAs: builder })).toEqual(
      BUILDER.filter((key) => MANAGER.includes(key)),
    )
    const { permissions } = await tokenOf('node-token', {
      caller: asManager,
      seesAs: builder,
      request: { purpose: 'files' },
    })
    expect(permissions).toEqual(['console.read', 'file.list'])
  })
})

describe('the attacks', () => {
  it('nobody is looked at who is no collaborator of that server now', async () => {
    const invited = systemIds.next()
    await database.owner.query(
      `insert into control.server_invitations (server_id, user_id, permissions, invited_by, created_at, expires_at)
       values ($1, $2, '{console.read}', $3, now(), now() + interval '1 day')`,
      [place.serverId, invited, owner.userId],
    )
    for (const seesAs of [systemIds.next(), owner.userId, invited])
      expect(await seen('server', { seesAs })).toEqual(NOT_THERE)
    // The builder of one server is nobody at the other one of the same owner.
    expect(await seen('server', { seesAs: builder, serverId: place.otherId })).toEqual(NOT_THERE)
    expect(await seen('console-access', { seesAs: builder, serverId: place.otherId })).toEqual(NOT_THERE)
    await share(builder, BUILDER, new Date(Date.now() - 1_000))
    for (const name of ['server', 'console-access', 'server-settings'] as const)
      expect(await seen(name, { seesAs: builder })).toEqual(NOT_THERE)
  })

  it('a view ends with the share of whoever of the two loses theirs first', async () => {
    const soon = new Date(Date.now() + 120_000)
    const endOf = async (caller: Caller) =>
      (await accessOf(database.db, { ...caller, seesAs: builder }, place.serverId))?.endsAtMs
    expect(await endOf(owner)).toBeNull()
    await share(builder, BUILDER, soon)
    expect(await endOf(owner)).toBe(soon.getTime())
    await share(manager, MANAGER, new Date(soon.getTime() + 1_000))
    expect(await endOf(callerOf(manager))).toBe(soon.getTime())
    await share(builder, BUILDER)
    expect(await endOf(callerOf(manager))).toBe(soon.getTime() + 1_000)
  })

  it('only who edits collaborators looks as them; a stranger learns nothing', async () => {
    const refusal = { status: 403, json: { error: { code: 'FORBIDDEN', params: { permission: 'user.update' } } } }
    expect(await seen('server', { caller: callerOf(builder), seesAs: guest })).toEqual(refusal)
    expect(await seen('console-access', { caller: callerOf(builder), seesAs: guest })).toEqual(refusal)
    expect(await seen('server', { caller: callerOf(systemIds.next()), seesAs: guest })).toEqual(NOT_THERE)
    expect(await seen('server', { caller: { ...callerOf(builder), isSupport: true }, seesAs: guest })).toEqual(refusal)
  })

  const withCaller = (Object.keys(INTERNAL_CALLS) as InternalCallName[]).filter((name) => !isSeenCall(name))
  it.each(withCaller)('"%s" is refused before it runs', async (name) => {
    const input = { caller: { ...owner, seesAs: builder }, serverId: place.serverId }
    await expect(refuseWhileSeeing(context, { name, input })).rejects.toMatchObject({ code: 'SEEING_AS' })
  })

  it('no change is made, by the owner as a builder who may make it, and no row is written', async () => {
    const rows = () =>
      database.owner.query(
        `select s.name, s.spec, s.desired_power, (select count(*) from control.commands) as commands,
           (select count(*) from control.activities) as activities, (select count(*) from control.server_users) as shares
         from control.servers s where s.id = $1`,
        [place.serverId],
      )
    const before = await rows()
    const { portId } = place
    const changes: readonly [InternalCallName, object][] = [
      ['power', { action: 'start' }],
      ['note-port', { portId, note: 'mine' }],
      ['check-port', { portId }],
      ['startup-secret', { variable: 'TOKEN' }],
      ['change-startup', { change: { version: 0, variables: {} } }],
      ['remove-collaborator', { userId: guest }],
      ['see-as', { userId: guest }],
      ['reinstall-server', { request: { name: 'serverId', files: 'keep' } }],
      ['renew', { request: { months: 1 } }],
      ['archive-access', {}],
    ]
    for (const [name, input] of changes)
      expect([name, await seen(name, { seesAs: builder, ...input })]).toEqual([name, REFUSED])
    expect(await rows()).toEqual(before)
    // Behind the first refusal stands a second one.
    const caller = { ...owner, seesAs: builder }
    expect(await lockedAccess(database.db, caller, place.serverId)).toBeUndefined()
  })

  it('without a server of the call there is nothing to see', async () => {
    for (const name of ['balance', 'servers', 'notifications', 'invitations'] as const)
      expect(await call(name, { caller: { ...owner, seesAs: builder } })).toEqual(REFUSED)
  })
})

describe('the beginning', () => {
  const begin = (userId: string, caller: Caller = owner) => call('see-as', { caller, serverId: place.serverId, userId })
  const logged = async () =>
    (
      await database.owner.query<{ user_id: string }>(
        `select user_id from control.activities where type = 'server:subuser.see-as' and server_id = $1`,
        [place.serverId],
      )
    ).map((row) => row.user_id)

  it('is a line of the activities, by whoever looks', async () => {
    const before = await logged()
    expect(await begin(guest)).toMatchObject({ status: 200, json: { id: guest } })
    expect(await logged()).toEqual([...before, owner.userId])
  })

  it('is refused for the owner, for oneself, for those who have more, and for those who are not there', async () => {
    const before = await logged()
    const code = async (...asked: Parameters<typeof begin>) =>
      ((await begin(...asked)).json as { error?: { code: string } }).error?.code
    const asManager = callerOf(manager)
    expect(await code(owner.userId)).toBe('OWNER_HAS_ALL')
    expect(await code(owner.userId, asManager)).toBe('OWNER_HAS_ALL')
    expect(await code(manager, asManager)).toBe('OWN_SHARE')
    expect(await code(builder, asManager)).toBe('MORE_THAN_OWN')
    expect(await code(guest, callerOf(builder))).toBe('FORBIDDEN')
    expect(await code(systemIds.next())).toBe('NOT_FOUND')
    await share(guest, ['console.read'], new Date(Date.now() - 1_000))
    expect(await code(guest)).toBe('NOT_FOUND')
    expect(await logged()).toEqual(before)
  })
})
