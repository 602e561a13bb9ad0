import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL, PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { errorMessage } from '../../../src/api/error-message.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { rowsOf, type PermissionRoute } from '../../factories/permission-calls.ts'
import { callerOf, orderContext, userWith } from '../../factories/shop.ts'

const colleague = systemIds.next()
const shared = { serverId: '', portId: '' }
let rig: ConnectedSite

beforeAll(async () => {
  rig = await openConnectedSite()
  const { database, shop, callRaw } = rig
  const owner = await userWith(database.db, 5000n)
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'shared' }
  const placed = await callRaw('order', JSON.stringify({ caller: callerOf(owner), request }))
  shared.serverId = INTERNAL_CALLS.order.output.parse(placed.json).server.id
  await settleOrder(orderContext(database.db, { now: Date.now }), {
    serverId: shared.serverId,
    outcome: 'installed',
    reason: '',
  })
  const [port] = await database.owner.query<{ id: string }>('select id from control.allocations where server_id = $1', [
    shared.serverId,
  ])
  shared.portId = port?.id ?? ''
})
afterAll(() => rig.close())

const share = (userId: string, permissions: readonly string[]) =>
  rig.database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())
     on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
    [shared.serverId, userId, permissions],
  )

type CallNameOf<Route extends PermissionRoute, Needs = (typeof PERMISSION_OF_CALL)[Route]> = Needs extends Permission
  ? Route
  : Needs extends object
    ? `${Route} ${keyof Needs & string}`
    : never
/** Every call that asks for a permission, once for each of its forms. */
type CallName = { [Route in PermissionRoute]: CallNameOf<Route> }[PermissionRoute]

/**
 * The status with the permission, written down apart from the code. Where it is no success, the permission was not what was missing:
 * the call names a thing that is not there (404), what it wants is not so (409, 422), or it gives or takes more than its caller has
 * (403, under a code of its own).
 */
const ALLOWED: Readonly<Record<CallName, number>> = {
  'GET /api/server/{id}/ws': 200,
  'GET /api/server/{id}/starts': 200,
  'GET /api/server/{id}/log-shares': 200,
  'POST /api/server/{id}/log-shares': 201,
  'DELETE /api/server/{id}/log-shares/{shareId}': 404,
  'POST /api/server/{id}/visit': 200,
  'GET /api/server/{id}/known-errors': 200,
  'GET /api/server/{id}/described-files': 200,
  'POST /api/server/{id}/power start': 409,
  'POST /api/server/{id}/power stop': 409,
  'POST /api/server/{id}/power restart': 409,
  'POST /api/server/{id}/power kill': 409,
  'POST /api/server/{id}/token files': 200,
  'POST /api/server/{id}/token download': 200,
  'POST /api/server/{id}/token ports': 200,
  'GET /api/server/{id}/ports': 200,
  'POST /api/server/{id}/ports': 409,
  'PATCH /api/server/{id}/ports/{portId}': 409,
  'DELETE /api/server/{id}/ports/{portId}': 409,
  'POST /api/server/{id}/ports/{portId}/primary': 409,
  'POST /api/server/{id}/ports/{portId}/check': 200,
  'GET /api/server/{id}/startup': 200,
  'PUT /api/server/{id}/startup': 200,
  'PUT /api/server/{id}/startup/image': 422,
  'POST /api/server/{id}/startup/secret': 404,
  'PUT /api/server/{id}/settings/identity': 200,
  'PUT /api/server/{id}/settings/operation': 200,
  'POST /api/server/{id}/reinstall': 409,
  'GET /api/server/{id}/activities': 200,
  'GET /api/server/{id}/users': 200,
  'GET /api/server/{id}/sharing': 200,
  'POST /api/server/{id}/users': 403,
  'PUT /api/server/{id}/users/{userId}': 200,
  'DELETE /api/server/{id}/users/{userId}': 403,
  'POST /api/server/{id}/users/{userId}/see-as': 403,
}

const IN_THE_PATH = ['portId', 'userId', 'shareId']

/** The body of a call, made of the input of the control plane's call. */
const bodyOf = (input: object): unknown => {
  const { request, change, ...rest } = input as Record<string, unknown>
  return request ?? change ?? Object.fromEntries(Object.entries(rest).filter(([name]) => !IN_THE_PATH.includes(name)))
}

type Row = ReturnType<typeof rowsOf>[number]
const ask = async ({ route, input }: Row, visitor: Visitor, permissions: readonly Permission[]) => {
  await share(visitor.userId, permissions)
  // After the removal by the one before: the colleague is back. Limits of requests are not tested here.
  await share(colleague, ['console.read'])
  await rig.site.identity.db.query('delete from identity.limit_buckets')
  const headers = { ...visitor.headers, 'idempotency-key': systemIds.next() }
  const ids = { portId: shared.portId, userId: colleague }
  return rig.site.ask(route, { headers, id: shared.serverId, ids, body: bodyOf(input) })
}

const refusalOf = ({ status, json }: { status: number; json: Record<string, unknown> }) => {
  const { code, message, params } = json['error'] as Record<string, unknown>
  return { status, code, message, params }
}

const ROUTES = (Object.keys(PERMISSION_OF_CALL) as PermissionRoute[]).filter(
  (route) => PERMISSION_OF_CALL[route] !== null && PERMISSION_OF_CALL[route] !== 'owner',
)

describe('each permission alone opens the routes that ask for it, and every other route names the one that it asks for', () => {
  it.each(ROUTES)('%s', async (route) => {
    const visitor = await rig.visit()
    for (const row of rowsOf(route, { portId: shared.portId, userId: colleague })) {
      const { needs, form } = row
      const name = (form === '' ? route : `${route} ${form}`) as CallName
      for (const key of PERMISSIONS) {
        const held = withNeeds([key])
        const answer = await ask(row, visitor, held)
        if (held.includes(needs)) {
          expect([name, key, answer.status]).toEqual([name, key, ALLOWED[name]])
          if (answer.status === 403) expect([name, refusalOf(answer).code]).not.toEqual([name, 'FORBIDDEN'])
        } else
          expect([name, key, refusalOf(answer)]).toEqual([
            name,
            key,
            {
              status: 403,
              code: 'FORBIDDEN',
              message: errorMessage('FORBIDDEN', 'en', { permission: needs }),
              params: { permission: needs },
            },
          ])
      }
    }
  })
})
