import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL, PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith } from '../../factories/shop.ts'

const colleague = systemIds.next()
let database: ControlDatabase
let call: (name: InternalCallName, input: object) => Promise<{ status: number; json: unknown }>
const shared = { serverId: '', portId: '', userId: '' }

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
  shared.userId = await userWith(database.db, 0n)
  await share(colleague, ['console.read'])
})
afterAll(() => database.close())

const share = (userId: string, permissions: readonly string[]) =>
  database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())
     on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
    [shared.serverId, userId, permissions],
  )

type Asked = { readonly call: InternalCallName; readonly input?: () => object }
const sharing = { permissions: ['console.read'], endsAt: null }

const identity = { name: 'shared', description: '' }
const operation = { timeZone: null, autoStart: true, stopTimeoutS: 30 }

/** The route's call of the control plane. One that every visitor has, and those of the owner alone, name no permission. */
const ASKED = {
  'GET /api/server/{id}/ws': { call: 'console-access' },
  'POST /api/server/{id}/power': { call: 'power' },
  'POST /api/server/{id}/token': { call: 'node-token' },
  'GET /api/server/{id}/ports': { call: 'server-ports' },
  'POST /api/server/{id}/ports': { call: 'add-port', input: () => ({ note: '' }) },
  'PATCH /api/server/{id}/ports/{portId}': { call: 'note-port', input: () => ({ portId: shared.portId, note: '' }) },
  'DELETE /api/server/{id}/ports/{portId}': { call: 'remove-port', input: () => ({ portId: shared.portId }) },
  'POST /api/server/{id}/ports/{portId}/primary': {
    call: 'make-port-primary',
    input: () => ({ portId: shared.portId }),
  },
  'POST /api/server/{id}/ports/{portId}/check': { call: 'check-port', input: () => ({ portId: shared.portId }) },
  'GET /api/server/{id}/startup': { call: 'server-startup' },
  'PUT /api/server/{id}/startup': {
    call: 'change-startup',
    input: () => ({ change: { version: 0, variables: {} } }),
  },
  'PUT /api/server/{id}/startup/image': {
    call: 'change-startup-image',
    input: () => ({ change: { version: 0, image: '~game:1' } }),
  },
  'POST /api/server/{id}/startup/secret': { call: 'startup-secret', input: () => ({ variable: 'TOKEN' }) },
  'GET /api/server/{id}/activities': { call: 'server-activities' },
  'GET /api/server/{id}/users': { call: 'collaborators' },
  'GET /api/server/{id}/sharing': { call: 'sharing-room' },
  'POST /api/server/{id}/users': {
    call: 'invite-collaborator',
    input: () => ({ request: { ...sharing, email: 'nobody@example.test' } }),
  },
  'PUT /api/server/{id}/users/{userId}': {
    call: 'change-collaborator',
    input: () => ({ userId: colleague, request: { ...sharing, seen: sharing } }),
  },
  'DELETE /api/server/{id}/users/{userId}': { call: 'remove-collaborator', input: () => ({ userId: colleague }) },
  'GET /api/server/{id}/starts': { call: 'server-starts' },
  'GET /api/server/{id}/log-shares': { call: 'log-shares' },
  'POST /api/server/{id}/log-shares': {
    call: 'create-log-share',
    input: () => ({ request: { text: 'Done', hours: 1 } }),
  },
  'DELETE /api/server/{id}/log-shares/{shareId}': {
    call: 'end-log-share',
    input: () => ({ shareId: systemIds.next() }),
  },
  'POST /api/server/{id}/visit': { call: 'visit-panel' },
  'GET /api/server/{id}/known-errors': { call: 'server-known-errors' },
  'GET /api/server/{id}/described-files': { call: 'described-files' },
  'PUT /api/server/{id}/settings/identity': {
    call: 'change-identity',
    input: () => ({ change: { ...identity, seen: identity } }),
  },
  'PUT /api/server/{id}/settings/operation': {
    call: 'change-operation',
    input: () => ({ change: { ...operation, seen: operation } }),
  },
  'POST /api/server/{id}/reinstall': {
    call: 'reinstall-server',
    input: () => ({ request: { files: 'keep', name: 'another name' } }),
  },
  'POST /api/server/{id}/users/{userId}/see-as': { call: 'see-as', input: () => ({ userId: colleague }) },
} as const satisfies Partial<Record<keyof typeof PERMISSION_OF_CALL, Asked>>

type Route = keyof typeof PERMISSION_OF_CALL
const isKey = (value: unknown): value is Permission => (PERMISSIONS as readonly unknown[]).includes(value)
/** What a token is asked for besides its purpose. */
const ofPurpose = (purpose: string) => ({ request: { purpose, ...(purpose === 'download' ? { path: 'world' } : {}) } })

const rowsOf = (route: Route): { route: Route; form: string; needs: Permission; input: object }[] => {
  const row = PERMISSION_OF_CALL[route]
  if (row === null || row === 'owner') return []
  const { input }: Asked = ASKED[route as keyof typeof ASKED]
  if (isKey(row)) return [{ route, form: '', needs: row, input: input?.() ?? {} }]
  return Object.entries(row).map(([form, needs]) => ({
    route,
    form,
    needs,
    input: route.endsWith('/power') ? { action: form } : ofPurpose(form),
  }))
}
const ROUTES = Object.keys(PERMISSION_OF_CALL) as Route[]
/** Asked here for a thing that does not exist, which is the answer once the permission is there. */
const NAMES_NOTHING: readonly Route[] = [
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
    for (const { form, needs } of rowsOf(route)) {
      const asked: Asked = ASKED[route as keyof typeof ASKED]
      const ask = async (permissions: readonly Permission[]) => {
        const user = systemIds.next()
        await share(user, permissions)
        // After the removal by the one before: the colleague is back.
        await share(colleague, ['console.read'])
        const input = rowsOf(route).find((each) => each.form === form)?.input
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
