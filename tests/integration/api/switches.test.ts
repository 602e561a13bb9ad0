import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ErrorBody, type ErrorCode } from '#contracts/http/errors.ts'
import { API_ROUTES, type ApiRouteName } from '#contracts/routes/routes.ts'
import { Switches } from '#contracts/http/switches.ts'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { systemIds } from '#platform/ids.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { callerOf, credit, orderContext } from '../../factories/shop.ts'
import { PASSWORD } from '../../support/people.ts'

type Switch = keyof Switches
const SWITCHES = Object.keys(Switches.shape) as Switch[]

/** The column of the settings, in the CMS and in its view for the control plane. */
const COLUMNS: Readonly<Record<Switch, string>> = {
  ordering: 'ordering',
  tickets: 'tickets',
  serverStart: 'server_start',
  couponUse: 'coupon_use',
  registration: 'registration',
}

let connected: ConnectedSite
let visitor: Visitor
let serverId: string
let testServerId: string
let ticketId: string
const categoryId = systemIds.next()
const converted = (changes: object = {}) => ({
  packageId: connected.shop.packageId,
  months: 1,
  expectedTotalFt: 1,
  ...changes,
})
const request = (changes: object = {}) => ({
  serviceId: connected.shop.serviceId,
  packageId: connected.shop.packageId,
  months: 1,
  name: 'Mine',
  ...changes,
})

/**
 * The refusals of a request: its code for each switch that is off, by whoever switched it. Everything else goes on.
 */
type Row = {
  readonly route: ApiRouteName
  readonly body: () => object
  readonly by: Partial<Record<Switch, ErrorCode>>
  /** A call about the server that was granted for a day. */
  readonly ofTest?: boolean
  /** A call about the visitor's ticket. */
  readonly ofTicket?: boolean
}
const power = (action: string) => () => ({ action, requestId: systemIds.next() })
const ROWS: readonly Row[] = [
  { route: 'POST /api/orders', body: () => request(), by: { ordering: 'ORDERING_DISABLED' } },
  {
    route: 'POST /api/orders',
    body: () => request({ couponCode: 'SPRING' }),
    by: { ordering: 'ORDERING_DISABLED', couponUse: 'COUPONS_DISABLED' },
  },
  { route: 'POST /api/orders/quote', body: () => request(), by: {} },
  {
    route: 'POST /api/orders/quote',
    body: () => request({ couponCode: 'SPRING' }),
    by: { couponUse: 'COUPONS_DISABLED' },
  },
  { route: 'POST /api/spin/coupon', body: () => ({ code: 'LUCK' }), by: { couponUse: 'COUPONS_DISABLED' } },
  {
    route: 'POST /api/auth/register',
    body: () => {
      const username = `new-${systemIds.next().slice(-8)}`
      const person = { username, email: `${username}@example.test`, acceptTerms: true }
      return { ...person, password: PASSWORD, passwordConfirm: PASSWORD }
    },
    by: { registration: 'REGISTRATION_DISABLED' },
  },
  { route: 'POST /api/server/{id}/power', body: power('start'), by: { serverStart: 'SERVER_START_DISABLED' } },
  { route: 'POST /api/server/{id}/power', body: power('restart'), by: { serverStart: 'SERVER_START_DISABLED' } },
  { route: 'POST /api/server/{id}/power', body: power('stop'), by: {} },
  // A test server becomes a paid one by an order; another price than the present one leaves it as it is.
  {
    route: 'POST /api/server/{id}/conversion',
    body: () => converted(),
    by: { ordering: 'ORDERING_DISABLED' },
    ofTest: true,
  },
  {
    route: 'POST /api/server/{id}/conversion',
    body: () => converted({ couponCode: 'SPRING' }),
    by: { ordering: 'ORDERING_DISABLED', couponUse: 'COUPONS_DISABLED' },
    ofTest: true,
  },
  // A renewal is no order: what somebody has goes on.
  { route: 'POST /api/server/{id}/renew', body: () => ({ months: 1 }), by: {} },
  { route: 'POST /api/balance/topup', body: () => ({ amount: 500, method: 'sandbox', acceptTerms: true }), by: {} },
  { route: 'POST /api/premium', body: () => ({ tier: 'essentials' }), by: {} },
  { route: 'POST /api/spin/buy', body: () => ({ count: 1 }), by: {} },
  {
    route: 'POST /api/ticket',
    body: () => ({ title: 'Help', categoryId, message: 'Please' }),
    by: { tickets: 'TICKETS_DISABLED' },
  },
  {
    route: 'POST /api/ticket/{id}/messages',
    body: () => ({ message: 'More' }),
    by: { tickets: 'TICKETS_DISABLED' },
    ofTicket: true,
  },
  { route: 'GET /api/ticket/{id}', body: () => ({}), by: {}, ofTicket: true },
  { route: 'POST /api/ticket/{id}/close', body: () => ({}), by: {}, ofTicket: true },
  {
    route: 'POST /api/ticket/{id}/reopen',
    body: () => ({}),
    by: { tickets: 'TICKETS_DISABLED' },
    ofTicket: true,
  },
]
const REFUSALS: readonly ErrorCode[] = [
  ...(['ORDERING_DISABLED', 'COUPONS_DISABLED', 'REGISTRATION_DISABLED'] as const),
  ...(['SERVER_START_DISABLED', 'TICKETS_DISABLED'] as const),
]

const turn = async (name: Switch, isOn: boolean) => {
  const column = COLUMNS[name]
  await connected.database.owner.query(`update cms_api.settings set ${column} = $1`, [isOn])
  await connected.site.identity.db.query(`update public.settings set kill_switches_${column} = $1`, [isOn])
}
const idOf = ({ ofTest = false, ofTicket = false }: Row) => (ofTicket ? ticketId : ofTest ? testServerId : serverId)
const ask = async (row: Row) => {
  const { route, body } = row
  const headers = { ...visitor.headers, 'idempotency-key': systemIds.next() }
  const { status, json } = await connected.site.ask(route, {
    headers,
    ...(route.startsWith('GET') ? {} : { body: body() }),
    id: idOf(row),
  })
  const error = ErrorBody.safeParse(json).data?.error
  return { status, code: error?.code, message: error?.message ?? '' }
}

beforeAll(async () => {
  connected = await openConnectedSite()
  const { database, site, shop } = connected
  await setWheel(database.owner, [prize('money', 100)])
  await site.identity.db.query(`insert into public.settings (id) select gen_random_uuid()
    where not exists (select from public.settings)`)
  for (const name of SWITCHES) await turn(name, true)
  await database.owner.query(
    `insert into cms_api.coupons (id, name, code, type, amount, usage, active) values ($1, 'c', 'SPRING', 'percentage', 5, 'multiple', true)`,
    [systemIds.next()],
  )
  visitor = await connected.visit()
  await credit(database.db, { userId: visitor.userId, amountFt: 100_000n })
  const placed = await site.ask('POST /api/orders', {
    headers: visitor.headers,
    body: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'Mine' },
  })
  serverId = (placed.json as { server: { id: string } }).server.id
  const context = orderContext(database.db, { now: Date.now })
  await settleOrder(context, { serverId, outcome: 'installed', reason: '' })
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, 'v', 'acdefghj', 'v@example.test', 'hu', true, 'electronic', false, false)`,
    [visitor.userId],
  )
  const granted = await grantTestServer(context, {
    caller: { ...callerOf(systemIds.next()), isSupport: true },
    wanted: { userId: visitor.userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
    requestId: 't',
  })
  if (!granted.ok) throw new Error(granted.code)
  testServerId = granted.serverId
  await database.owner.query(
    `insert into cms_api.ticket_categories (id, name) values ($1, '{"en": "Help", "hu": "Help", "de": "Help"}')`,
    [categoryId],
  )
  const opened = await site.ask('POST /api/ticket', {
    headers: { ...visitor.headers, 'idempotency-key': systemIds.next() },
    body: { title: 'Help', categoryId, message: 'Please' },
  })
  ticketId = (opened.json as { ticket: { id: string } }).ticket.id
  await settleOrder(context, { serverId: testServerId, outcome: 'installed', reason: '' })
  await database.owner.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = any ($1)`,
    [[serverId, testServerId]],
  )
})
afterAll(() => connected.close())

describe.each(SWITCHES)('with "%s" switched off', (name) => {
  it('only its own requests are refused, with a sentence', async () => {
    await turn(name, false)
    const answers = []
    for (const row of ROWS) {
      const { code, message, status } = await ask(row)
      const refusal = code && REFUSALS.includes(code) ? code : undefined
      if (refusal) expect([status, message.length > 10]).toEqual([403, true])
      answers.push([row.route, refusal])
      await connected.site.identity.db.query('truncate identity.limit_buckets')
    }
    expect(answers).toEqual(ROWS.map(({ route, by }) => [route, by[name]]))
    await turn(name, true)
  })

  it('pages learn of it before anybody clicks', async () => {
    await turn(name, false)
    const { json } = await connected.site.ask('GET /api/switches')
    expect(Switches.parse(json)).toEqual({ ...ALL_ON, [name]: false })
    await turn(name, true)
    expect(Switches.parse((await connected.site.ask('GET /api/switches')).json)).toEqual(ALL_ON)
  })
})

const ALL_ON: Switches = { ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true }

it('with all switches on nothing is refused', async () => {
  for (const row of ROWS)
    expect([row.route, REFUSALS.includes((await ask(row)).code ?? 'NOT_FOUND')]).toEqual([row.route, false])
})

it('administrators start servers while customers may not', async () => {
  await turn('serverStart', false)
  const caller = { ...callerOf(systemIds.next()), isAdmin: true }
  const context = orderContext(connected.database.db, { now: Date.now })
  const answer = await requestPower(context, { caller, serverId, action: 'restart', requestId: 'r' })
  expect(answer).not.toMatchObject({ code: 'SERVER_START_DISABLED' })
  await turn('serverStart', true)
})

it('every call with which a customer writes in tickets stands above, or goes on whatever is switched', () => {
  const goesOn = [
    'POST /api/ticket/{id}/read',
    'POST /api/ticket/{id}/rating',
    // A file alone is read by nobody: the message with which it would go is refused.
    'POST /api/ticket-attachment',
    'DELETE /api/ticket-attachment/{id}',
  ]
  const ofStaff = [
    'POST /api/ticket/{id}/notes',
    'PUT /api/ticket/{id}/assignee',
    'PUT /api/ticket/{id}/category',
    'POST /api/ticket/{id}/merge',
    'POST /api/ticket/{id}/test-server',
    'POST /api/ticket/{id}/people',
    'DELETE /api/ticket/{id}/people/{userId}',
    'DELETE /api/ticket/{id}',
  ]
  const writing = Object.keys(API_ROUTES).filter((route) => / \/api\/ticket/.test(route) && !route.startsWith('GET'))
  const inRows: string[] = ROWS.map(({ route }) => route).filter((route) => writing.includes(route))
  expect(writing.toSorted()).toEqual([...inRows, ...goesOn, ...ofStaff].toSorted())
})
