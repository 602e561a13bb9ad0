import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { internalApi } from '../../../control-plane/api/server.ts'
import type { ApiDeps } from '../../../control-plane/api/api-deps.ts'
import { notifyUser } from '../../../control-plane/messages/notices/notify-user.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { stillClock } from '../../factories/lifetime.ts'
import { noScanner } from '../../factories/virus-scanners.ts'
import { paymentContext, RETURN_URL } from '../../factories/till.ts'

const SECRET = 'a-secret-of-the-test'
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

function api() {
  const commandId = systemIds.next()
  const deps: ApiDeps = {
    context: paymentContext(database.db),
    secret: SECRET,
    mailSecret: SECRET,
    pushPublicKey: 'public key of pushes',
    servers: {
      requestPower: () => Promise.resolve({ accepted: true, commandId }),
      consoleAccess: () => Promise.resolve({ token: 't', socket: '/s', url: 'http://node.test' }),
      nodeToken: () => Promise.reject(new Error('Nobody asks for it here.')),
      archiveAccess: () => Promise.reject(new Error('Nobody asks for it here.')),
    },
    nodes: {
      consoleTail: () => Promise.resolve('away'),
      nodeOrigins: () => Promise.resolve({ origins: [], gateway: 'http://pay.test' }),
      enrolmentToken: () => Promise.resolve({ token: 't', expiresAt: '2026-06-01T00:00:00.000Z' }),
      forceMove: () => Promise.resolve({ nodeId: commandId, generation: 2 }),
    },
    clockGuard: stillClock(),
    probe: () => Promise.resolve('silent'),
    scanner: noScanner,
    nudges: { sessionEnded: () => Promise.resolve(), nudge: () => Promise.resolve() },
  }
  return internalApi(deps)
}

type Sent = { secret?: string | null; key?: string; body?: string }

async function call(name: string, input: unknown, { secret = SECRET, key, body }: Sent = {}) {
  const answer = await api().request(`http://internal.test/internal/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': 'request-7',
      ...(secret === null ? {} : { 'x-internal-secret': secret }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: body ?? JSON.stringify(input),
  })
  const json = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, json }
}

const orderOf = (changes: object = {}) => ({
  serviceId: shop.serviceId,
  packageId: shop.packageId,
  months: 1,
  name: 'Mine',
  ...changes,
})

describe('internal API', () => {
  it.each([null, '', 'wrong', `${SECRET}x`])('I1: the secret %s gets 401 and reveals nothing', async (secret) => {
    for (const name of ['balance', 'nothing']) {
      expect(await call(name, {}, { secret })).toEqual({ status: 401, json: { error: { code: 'UNAUTHENTICATED' } } })
    }
  })

  it.each(['nothing', 'constructor', '__proto__'])('the call %s gets 404', async (name) => {
    expect(await call(name, {})).toEqual({ status: 404, json: { error: { code: 'NOT_FOUND' } } })
  })

  it('a body that violates the schema gets 400 with the invalid fields', async () => {
    expect(await call('balance', { caller: { userId: 'x' } })).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION' } },
    })
    expect(await call('balance', null, { body: '{' })).toMatchObject({
      status: 400,
      json: { error: { code: 'BAD_REQUEST' } },
    })
  })

  it('every read responds by its contract', async () => {
    const caller = callerOf(await userWith(database.db, 5000n))
    const inputs: Partial<Record<InternalCallName, object>> = {
      account: { caller },
      balance: { caller },
      transactions: { caller },
      services: { locale: 'de' },
      quote: { caller, request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 2 } },
      servers: { caller },
      notifications: { caller },
      activities: { caller },
      'staff-payments': { caller: { ...caller, isAdmin: true } },
      'unmatched-payments': { caller: { ...caller, isAdmin: true }, all: true },
      'node-origins': {},
    }
    for (const [name, input] of Object.entries(inputs)) {
      const { status, json } = await call(name, input)
      expect([name, status]).toEqual([name, 200])
      INTERNAL_CALLS[name as InternalCallName].output.parse(json)
    }
    expect((await call('account', { caller })).json).toMatchObject({ balance: 5000 })
  })

  it('notifications are marked as read up to the newest seen one, with one event', async () => {
    const caller = callerOf(await userWith(database.db, 0n))
    const notify = (amount: number) =>
      database.db.transaction((tx) =>
        notifyUser(tx, paymentContext(database.db), {
          userId: caller.userId,
          text: 'topup.successful',
          data: { amount },
          requestId: '',
        }),
      )
    const list = async () => INTERNAL_CALLS.notifications.output.parse((await call('notifications', { caller })).json)
    const told = async () =>
      (
        await database.owner.query<{ payload: string }>(
          `select payload::text from control.outbox where payload::text like '%notification.read%'
         and payload::text like '%' || $1 || '%'`,
          [caller.userId],
        )
      ).length
    await notify(500)
    await notify(600)
    await notify(700)
    const [newest, seen] = await list()
    expect(newest).toMatchObject({ data: { amount: 700 }, readAt: null })
    for (let round = 0; round < 2; round += 1) {
      const answer = await call('read-notifications', { caller, upTo: seen?.id })
      expect(answer).toEqual({ status: 200, json: {} })
      expect((await list()).map(({ readAt }) => readAt !== null)).toEqual([false, true, true])
      expect(await told()).toBe(1)
    }
  })

  it('a list without a limit returns everything, up to a thousand', async () => {
    const caller = callerOf(await userWith(database.db, 0n))
    const insert = (name: string, rest: string) =>
      database.owner.query(
        `insert into control.${name} select gen_random_uuid(), $1, ${rest} from generate_series(1, 1001)`,
        [caller.userId],
      )
    await insert('notifications (id, user_id, text, data, created_at)', `'topup.successful', '{}', now()`)
    await insert('activities (id, user_id, type, status, created_at)', `'server.start', 'success', now()`)
    for (const name of ['notifications', 'activities'] as const) {
      const all = INTERNAL_CALLS[name].output.parse((await call(name, { caller })).json)
      expect(all).toHaveLength(1_000)
      const rest = await call(name, { caller, before: all.at(-1)?.id })
      expect(rest.json).toHaveLength(1)
    }
  })

  it('I2: an order is made once per key, another body is refused, and a key is required', async () => {
    const caller = callerOf(await userWith(database.db, 5000n))
    expect(await call('order', { caller, request: orderOf() })).toMatchObject({
      status: 400,
      json: { error: { code: 'IDEMPOTENCY_KEY_MISSING' } },
    })
    const first = await call('order', { caller, request: orderOf() }, { key: 'k1' })
    expect(first.status).toBe(200)
    const { order, server } = INTERNAL_CALLS.order.output.parse(first.json)
    expect(order).toMatchObject({ state: 'provisioning', totalFt: 990 })
    expect(server).toMatchObject({ name: 'Mine', status: 'installing', ports: 1, ip: '127.0.0.1' })
    expect((await call('order', { caller, request: orderOf() }, { key: 'k1' })).json).toEqual(first.json)
    const other = await call('order', { caller, request: orderOf({ months: 2 }) }, { key: 'k1' })
    expect(other).toEqual({ status: 409, json: { error: { code: 'IDEMPOTENCY_MISMATCH' } } })
  })

  it('an order reports the missing amount', async () => {
    const caller = callerOf(await userWith(database.db, 500n))
    expect(await call('order', { caller, request: orderOf() }, { key: 'k' })).toEqual({
      status: 402,
      json: { error: { code: 'INSUFFICIENT_BALANCE', params: { price: '490' } } },
    })
  })

  it('a top-up starts, and 499 Ft are refused', async () => {
    const caller = callerOf(systemIds.next())
    const request = { amount: 500, method: 'sandbox', acceptTerms: true }
    const started = await call('topup', { caller, request, returnUrl: RETURN_URL }, { key: 'k' })
    expect(INTERNAL_CALLS.topup.output.parse(started.json).redirectUrl).toMatch(/\/payments\/sandbox\/[0-9a-f]{48}$/)
    const small = { caller, request: { ...request, amount: 499 }, returnUrl: RETURN_URL }
    expect(await call('topup', small, { key: 'l' })).toMatchObject({
      status: 422,
      json: { error: { code: 'TOPUP_TOO_SMALL' } },
    })
  })

  it('a server is visible to its owner and administrators, and 404 for others', async () => {
    const owner = callerOf(await userWith(database.db, 5000n))
    const placed = await call('order', { caller: owner, request: orderOf() }, { key: 'k' })
    const { server } = INTERNAL_CALLS.order.output.parse(placed.json)
    const stranger = callerOf(systemIds.next())
    const asked = { serverId: server.id }
    expect((await call('server', { caller: owner, ...asked })).json).toEqual(server)
    expect((await call('server', { caller: { ...stranger, isAdmin: true }, ...asked })).status).toBe(200)
    expect(await call('server', { caller: stranger, ...asked })).toMatchObject({ status: 404 })
    expect((await call('servers', { caller: stranger })).json).toEqual([])
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console.read}', now())`,
      [server.id, stranger.userId],
    )
    const shared = INTERNAL_CALLS.servers.output.parse((await call('servers', { caller: stranger })).json)
    expect(shared).toMatchObject([{ id: server.id, permissions: ['console.read'] }])
  })

  it('a sub-user’s address is shown as that person entered it, not the stored one (case 15)', async () => {
    const owner = callerOf(await userWith(database.db, 5000n))
    const placed = await call('order', { caller: owner, request: orderOf() }, { key: 'k' })
    const { server } = INTERNAL_CALLS.order.output.parse(placed.json)
    const guest = systemIds.next()
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console.read}', now())`,
      [server.id, guest],
    )
    await database.owner.query(
      `insert into cms_api.people (id, username, identifier, email) values ($1::uuid, 'guest', 'acdefghj', $1::text || '@claimed.invalid')`,
      [guest],
    )
    await database.owner.query(
      `create or replace view cms_api.shown_addresses as select id, 'entered@example.test'::text as email from cms_api.people`,
    )
    const [shown] = INTERNAL_CALLS.servers.output.parse((await call('servers', { caller: owner })).json)
    expect(shown?.subusers).toMatchObject([{ username: 'guest', email: 'entered@example.test' }])
  })

  it('a caller without a verification flag, from an older site, counts as unverified', async () => {
    const { isVerified: _, ...caller } = callerOf(systemIds.next())
    expect(await call('servers', { caller } as never)).toMatchObject({ status: 200 })
    const request = { amount: 500, method: 'sandbox', acceptTerms: true }
    expect(await call('topup', { caller, request, returnUrl: RETURN_URL } as never, { key: 'k' })).toMatchObject({
      json: { error: { code: 'EMAIL_NOT_VERIFIED' } },
    })
  })

  it('only administrators get enrolment tokens', async () => {
    const caller = callerOf(systemIds.next())
    const computerId = shop.computerId
    expect(await call('enrolment-token', { caller, computerId })).toMatchObject({ status: 403 })
    expect((await call('enrolment-token', { caller: { ...caller, isAdmin: true }, computerId })).status).toBe(200)
  })

  it('only administrators move a server by force, and only with a reason', async () => {
    const caller = callerOf(systemIds.next())
    const move = { serverId: systemIds.next(), computerId: shop.computerId, reason: 'The node has burnt down.' }
    const admin = { ...caller, isAdmin: true }
    expect(await call('force-move', { caller, ...move })).toMatchObject({ status: 403 })
    expect(await call('force-move', { caller: { ...caller, isSupport: true }, ...move })).toMatchObject({ status: 403 })
    expect(await call('force-move', { caller: admin, ...move, reason: '          so' })).toMatchObject({ status: 400 })
    expect(await call('force-move', { caller: admin, ...move })).toMatchObject({ status: 200 })
  })
})
