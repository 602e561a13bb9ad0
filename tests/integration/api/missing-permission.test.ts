import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL, PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { ASKED, rowsOf, type Asked, type PermissionRoute } from '../../factories/permission-calls.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith } from '../../factories/shop.ts'

const colleague = systemIds.next()
let database: ControlDatabase
let call: (name: InternalCallName, input: object) => Promise<{ status: number; json: unknown }>
const shared = { serverId: '', portId: '' }

beforeAll(async () => {
  database = await shopDatabase()
  const shop = await openShop(database.owner)
  call = (await openInternalApi(database.db)).call
  const owner = await userWith(database.db, 5000n)
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'shared' }
  const placed = await call('order', { caller: callerOf(owner), request })
  shared.serverId = INTERNAL_CALLS.order.output.parse(placed.json).server.id
  await settleOrder(orderContext(database.db), { serverId: shared.serverId, outcome: 'installed', reason: '' })
  const [port] = await database.owner.query<{ id: string }>('select id from control.allocations where server_id = $1', [
    shared.serverId,
  ])
  shared.portId = port?.id ?? ''
  await share(colleague, ['console.read'])
})
afterAll(() => database.close())

const share = (userId: string, permissions: readonly string[]) =>
  database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())
     on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
    [shared.serverId, userId, permissions],
  )

const things = () => ({ portId: shared.portId, userId: colleague })
const ROUTES = Object.keys(PERMISSION_OF_CALL) as PermissionRoute[]
/** Asked here for a thing that does not exist, which is the answer once the permission is there. */
const NAMES_NOTHING: readonly PermissionRoute[] = [
  'POST /api/server/{id}/startup/secret',
  'DELETE /api/server/{id}/log-shares/{shareId}',
]

describe('a call without its permission names the key that is missing', () => {
  it('every call about one server has a row of permissions, and every row that names one is asked here', () => {
    const calls = Object.keys(API_ROUTES).filter((name) => name.includes(' /api/server/{id}'))
    expect(ROUTES.toSorted()).toEqual(calls.toSorted())
    const named = ROUTES.filter((route) => PERMISSION_OF_CALL[route] !== null && PERMISSION_OF_CALL[route] !== 'owner')
    expect(Object.keys(ASKED).toSorted()).toEqual(named.toSorted())
  })

  it.each(ROUTES.map((route) => [route]))('%s', async (route) => {
    for (const { form, needs } of rowsOf(route, things())) {
      const asked: Asked = ASKED[route as keyof typeof ASKED]
      const ask = async (permissions: readonly Permission[]) => {
        const user = systemIds.next()
        await share(user, permissions)
        // After the removal by the one before: the colleague is back.
        await share(colleague, ['console.read'])
        const input = rowsOf(route, things()).find((each) => each.form === form)?.input
        return call(asked.call, { caller: callerOf(user), serverId: shared.serverId, ...input })
      }
      const refused = { status: 403, json: { error: { code: 'FORBIDDEN', params: { permission: needs } } } }
      expect([form, await ask(PERMISSIONS.filter((key) => key !== needs))]).toEqual([form, refused])
      expect([form, await ask([])]).toEqual([form, refused])
      const allowed = await ask(withNeeds([needs]))
      expect([form, allowed.json]).not.toEqual([form, refused.json])
      expect([401, 404].includes(allowed.status) && !NAMES_NOTHING.includes(route)).toBe(false)
    }
  })
})
