import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { RETURN_URL } from '../../factories/till.ts'

let database: ControlDatabase
let shop: Shop
let call: (name: string, input: unknown, key?: string) => Promise<{ status: number; text: string }>
/** Things that are Bob's and nobody else's. */
const bob = {
  userId: '',
  serverId: '',
  portId: '',
  attachmentId: '',
  name: 'canary-server-of-bob',
  ids: [] as string[],
}
let alice: ReturnType<typeof callerOf>

beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
  const api = await openInternalApi(database.db)
  call = (name, input, key) => api.ask(name, JSON.stringify(input), key)
  bob.userId = await userWith(database.db, 5000n)
  alice = callerOf(await userWith(database.db, 5000n))
  const order = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: bob.name }
  const placed = await call('order', { caller: callerOf(bob.userId), request: order }, 'key-of-bob')
  bob.serverId = INTERNAL_CALLS.order.output.parse(JSON.parse(placed.text)).server.id
  await settleOrder(orderContext(database.db), { serverId: bob.serverId, outcome: 'installed', reason: '' })
  const [port] = await database.owner.query<{ id: string }>('select id from control.allocations where server_id = $1', [
    bob.serverId,
  ])
  bob.portId = port?.id ?? ''
  const categoryId = systemIds.next()
  await database.owner.query(
    `insert into cms_api.ticket_categories (id, name) values ($1, '{"en": "", "hu": "", "de": ""}')`,
    [categoryId],
  )
  const uploaded = { caller: callerOf(bob.userId), name: 'latest.log', bytes: Buffer.from('of Bob').toString('base64') }
  const file = await call('upload-ticket-attachment', uploaded, 'file-of-bob')
  bob.attachmentId = INTERNAL_CALLS['upload-ticket-attachment'].output.parse(JSON.parse(file.text)).id
  await call('upload-ticket-attachment', uploaded, 'unsent-of-bob')
  const opening = { title: bob.name, categoryId, message: 'It does not start.', attachments: [bob.attachmentId] }
  await call('open-ticket', { caller: callerOf(bob.userId), request: opening }, 'ticket-of-bob')
  const columns = {
    servers: 'owner_id',
    tickets: 'opener_id',
    ticket_messages: 'author_id',
    ticket_attachments: 'author_id',
  }
  const others = ['orders', 'wallet_transactions', 'invoices', 'notifications', 'activities'].map((name) => [
    name,
    'user_id',
  ])
  for (const [table, column] of [...Object.entries(columns), ...others]) {
    const rows = await database.owner.query<{ id: string }>(
      `select id from control.${table} where ${column} = $1 order by id desc`,
      [bob.userId],
    )
    expect([table, rows.length > 0]).toEqual([table, true])
    bob.ids.push(...rows.map(({ id }) => id))
  }
})
afterAll(() => database.close())

/** Every row of every table that holds something of a customer. */
const everything = async () => {
  const tables = await database.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'control' and table_type = 'BASE TABLE' and table_name not in ('migrations') order by 1`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => [
      name,
      await database.owner.query(`select t::text from control.${name} t order by 1`),
    ]),
  )
  return Object.fromEntries(rows) as object
}

const SIZE = { cpuPercent: 100, ramMiB: 1024, storageMiB: 2048 }

/** Calls that name something of a customer; `id` is what the caller names. */
const NAMING: Partial<Record<InternalCallName, (id: string) => object>> = {
  server: (serverId) => ({ serverId }),
  power: (serverId) => ({ serverId, action: 'start' }),
  'console-access': (serverId) => ({ serverId }),
  'node-token': (serverId) => ({ serverId, request: { purpose: 'files' } }),
  'archive-access': (serverId) => ({ serverId }),
  'server-settings': (serverId) => ({ serverId }),
  'change-identity': (serverId) => ({
    serverId,
    change: { name: 'Mine now', description: '', seen: { name: 'Bob', description: '' } },
  }),
  'change-operation': (serverId) => ({
    serverId,
    change: {
      timeZone: null,
      autoStart: false,
      stopTimeoutS: 30,
      seen: { timeZone: null, autoStart: true, stopTimeoutS: 30 },
    },
  }),
  'reinstall-server': (serverId) => ({ serverId, request: { name: 'Bob', files: 'wipe' } }),
  'change-server-layout': (serverId) => ({
    change: { kind: 'move', servers: [serverId], groupId: null, before: null },
  }),
  'server-startup': (serverId) => ({ serverId }),
  'server-starts': (serverId) => ({ serverId }),
  'log-shares': (serverId) => ({ serverId }),
  'create-log-share': (serverId) => ({ serverId, request: { text: 'Done', hours: 1 } }),
  'end-log-share': (serverId) => ({ serverId, shareId: systemIds.next() }),
  'ticket-context': (serverId) => ({ serverId }),
  ticket: (ticketId) => ({ ticketId }),
  'answer-ticket': (ticketId) => ({ ticketId, request: { message: 'Mine now' } }),
  'note-ticket': (ticketId) => ({ ticketId, request: { message: 'Mine now' } }),
  'drop-ticket-attachment': (attachmentId) => ({ attachmentId }),
  'ticket-attachment': (ticketId) => ({ ticketId, attachmentId: bob.attachmentId }),
  'close-ticket': (ticketId) => ({ ticketId }),
  'reopen-ticket': (ticketId) => ({ ticketId }),
  'read-ticket': (ticketId) => ({ ticketId, upTo: systemIds.next() }),
  'rate-ticket': (ticketId) => ({ ticketId, rating: 'bad' }),
  'ticket-customer': (ticketId) => ({ ticketId }),
  'ticket-colleagues': (ticketId) => ({ ticketId }),
  'assign-ticket': (ticketId) => ({ ticketId, userId: null, seen: null }),
  'move-ticket': (ticketId) => ({ ticketId, categoryId: systemIds.next() }),
  'merge-ticket': (ticketId) => ({ ticketId, intoId: systemIds.next() }),
  'grant-ticket-test-server': (ticketId) => ({
    ticketId,
    wanted: { serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
  }),
  'add-ticket-person': (ticketId) => ({ ticketId, userId: alice.userId }),
  'remove-ticket-person': (ticketId) => ({ ticketId, userId: bob.userId }),
  'delete-ticket': (ticketId) => ({ ticketId }),
  vote: (votingId) => ({ votingId, option: 'mine' }),
  'visit-panel': (serverId) => ({ serverId }),
  'server-known-errors': (serverId) => ({ serverId }),
  'described-files': (serverId) => ({ serverId }),
  'change-startup': (serverId) => ({ serverId, change: { version: 0, variables: { LEVEL: '2' } } }),
  'change-startup-image': (serverId) => ({ serverId, change: { version: 0, image: '~game:1' } }),
  'startup-secret': (serverId) => ({ serverId, variable: 'LEVEL' }),
  collaborators: (serverId) => ({ serverId }),
  'sharing-room': (serverId) => ({ serverId }),
  'invite-collaborator': (serverId) => ({
    serverId,
    request: { email: 'somebody@example.test', permissions: ['console.read'] },
  }),
  'change-collaborator': (serverId) => ({
    serverId,
    userId: alice.userId,
    request: { permissions: ['console.read'], endsAt: null, seen: { permissions: [], endsAt: null } },
  }),
  'remove-collaborator': (serverId) => ({ serverId, userId: alice.userId }),
  'see-as': (serverId) => ({ serverId, userId: alice.userId }),
  'accept-invitation': (serverId) => ({ serverId }),
  'decline-invitation': (serverId) => ({ serverId }),
  'topup-check': (transaction) => ({ transaction }),
  'cancel-topup': (transaction) => ({ transaction }),
  transaction: (transactionId) => ({ transactionId }),
  'invoice-file': (invoiceId) => ({ invoiceId }),
  'spin-proof': (spinId) => ({ spinId }),
  'server-activities': (serverId) => ({ serverId }),
  'renewal-quote': (serverId) => ({ serverId, months: 1 }),
  renew: (serverId) => ({ serverId, request: { months: 1 } }),
  'modification-quote': (serverId) => ({ serverId, request: { resources: SIZE } }),
  'modify-server': (serverId) => ({ serverId, request: { resources: SIZE } }),
  'server-packages': (serverId) => ({ serverId }),
  'change-package': (serverId) => ({ serverId, request: { packageId: shop.packageId } }),
  'keep-package': (serverId) => ({ serverId }),
  'auto-renewal': (serverId) => ({ serverId, change: { enabled: true } }),
  'server-size': (serverId) => ({ serverId }),
  'server-ports': (serverId) => ({ serverId }),
  'add-port': (serverId) => ({ serverId, note: 'mine' }),
  'note-port': (serverId) => ({ serverId, portId: bob.portId, note: 'mine' }),
  'remove-port': (serverId) => ({ serverId, portId: bob.portId }),
  'make-port-primary': (serverId) => ({ serverId, portId: bob.portId }),
  'check-port': (serverId) => ({ serverId, portId: bob.portId }),
  'conversion-quote': (serverId) => ({ serverId, request: { months: 1, packageId: shop.packageId } }),
  'convert-server': (serverId) => ({ serverId, request: { months: 1, packageId: shop.packageId } }),
  'begin-withdrawal': (documentId) => ({ request: { kind: 'order', documentId } }),
  'confirm-withdrawal': (documentId) => ({ request: { kind: 'order', documentId } }),
}
/** Calls that list what is the caller's own, after an id. */
const LISTING: readonly InternalCallName[] = [
  ...(['servers', 'transactions', 'invoices', 'notifications', 'activities', 'spins', 'tickets'] as const),
]
/** Calls that mark the caller's own up to an id, whoever's it is. */
const MARKING: Partial<Record<InternalCallName, (id: string) => object>> = {
  'read-notifications': (upTo) => ({ upTo }),
}
/** Calls that name nobody's things. */
const OWN: readonly InternalCallName[] = [
  ...(['account', 'balance', 'topup', 'quote', 'order', 'enrolment-token'] as const),
  // The ticket that a new one goes on with: tests/integration/tickets/tickets.test.ts.
  ...(['open-ticket', 'ticket-categories', 'upload-ticket-attachment'] as const),
  ...(['withdrawals', 'invitations', 'server-layout', 'player-counts'] as const),
  ...(['summary-layout', 'change-summary-layout', 'player-days', 'voting'] as const),
  ...(['premium', 'buy-premium', 'wheel', 'spin', 'buy-spins', 'spin-coupon'] as const),
  ...([
    'notification-settings',
    'change-notification-settings',
    'subscribe-push',
    'unsubscribe-push',
    'browser-seen',
  ] as const),
  // The parts that they hold back from others: tests/integration/people/export-person.test.ts.
  ...(['departure', 'export-person', 'invoices-csv', 'tax-profile'] as const),
]
/** Calls of administrators, whatever they name. */
const OF_ADMINISTRATORS: Partial<Record<InternalCallName, (id: string) => object>> = {
  'force-move': (serverId) => ({ serverId, computerId: shop.computerId, reason: 'The node burnt down.' }),
  'staff-payments': (userId) => ({ userId }),
  'unmatched-payments': () => ({}),
  'assign-unmatched': (unmatchedId) => ({ unmatchedId, userId: alice.userId, reason: 'It is mine, I say.' }),
  'refund-payment': (paymentId) => ({ paymentId, amountFt: 500, reason: 'I want it back now.' }),
  'refund-server-quote': (serverId) => ({ serverId }),
  'refund-server': (serverId) => ({ serverId, reason: 'I want it back now.' }),
  'close-dispute': (paymentId) => ({ paymentId, outcome: 'won', reason: 'I say that I won it.' }),
  'write-off-debt': (userId) => ({ userId, reason: 'I do not want to pay.' }),
  'manual-credit': (userId) => ({
    userId,
    direction: 'credit',
    amountFt: 500,
    bucket: 'money',
    reason: 'I deserve it very much.',
  }),
  'staff-proposals': () => ({ all: true }),
  'decide-proposal': (proposalId) => ({ proposalId, decision: 'confirm', note: '' }),
  'staff-transactions': (userId) => ({ userId }),
  'staff-ledger': (userId) => ({ userId }),
  'staff-ledger-accounts': (userId) => ({ userId }),
  'staff-ledger-days': () => ({ from: '2026-05-01', to: '2026-06-30' }),
  'staff-ledger-audit': () => ({}),
  'staff-debts': () => ({}),
  'staff-invoices': (userId) => ({ userId }),
  'staff-invoice-file': (invoiceId) => ({ invoiceId }),
  'staff-servers': (userId) => ({ userId }),
  'billing-clock': () => ({}),
  'confirm-billing-clock': () => ({}),
}
/** Calls of the staff, support included. */
const OF_STAFF: Partial<Record<InternalCallName, (id: string) => object>> = {
  'ticket-queue': () => ({}),
  'ticket-figures': () => ({ days: '7' }),
  'grant-test-server': (userId) => ({
    wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
  }),
}

const withCaller = Object.entries(INTERNAL_CALLS)
  .filter(([, { input }]) => 'caller' in (input as z.ZodObject).shape)
  .map(([name]) => name)

describe('T54: other people’s data (case 30)', () => {
  it('every call of a customer has a row', () => {
    const named = Object.keys({ ...NAMING, ...OF_ADMINISTRATORS, ...OF_STAFF, ...MARKING })
    expect([...named, ...LISTING, ...OWN].sort()).toEqual(withCaller.sort())
  })

  it.each(Object.keys(NAMING) as InternalCallName[])(
    '"%s" answers as if it did not exist, and changes nothing',
    async (name) => {
      const before = await everything()
      // Support without a category sees of tickets as little as a customer: tests/integration/api/ticket-matrix.test.ts has who sees what.
      for (const caller of [alice, { ...alice, isSupport: true }])
        for (const id of bob.ids) {
          const answer = await call(name, { caller, ...NAMING[name]?.(id) })
          expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { error: { code: 'NOT_FOUND' } }])
        }
      const nobodys = await call(name, { caller: alice, ...NAMING[name]?.(systemIds.next()) })
      expect([nobodys.status, JSON.parse(nobodys.text)]).toEqual([404, { error: { code: 'NOT_FOUND' } }])
      expect(await everything()).toEqual(before)
    },
  )

  it.each(Object.keys(OF_ADMINISTRATORS) as InternalCallName[])(
    'lets no customer "%s", not even the own',
    async (name) => {
      const before = await everything()
      for (const caller of [alice, callerOf(bob.userId), { ...alice, isSupport: true }]) {
        for (const id of [...bob.ids, systemIds.next()]) {
          const { status } = await call(name, { caller, ...OF_ADMINISTRATORS[name]?.(id) })
          expect(status).toBe(403)
        }
      }
      expect(await everything()).toEqual(before)
    },
  )

  it.each(Object.keys(OF_STAFF) as InternalCallName[])('lets no customer "%s", not for themselves', async (name) => {
    const before = await everything()
    for (const caller of [alice, callerOf(bob.userId)]) {
      for (const id of [bob.userId, caller.userId]) {
        const { status } = await call(name, { caller, ...OF_STAFF[name]?.(id) })
        expect(status).toBe(403)
      }
    }
    expect(await everything()).toEqual(before)
  })

  it.each(Object.keys(MARKING) as InternalCallName[])('is not marked by "%s"', async (name) => {
    const before = await everything()
    for (const id of [...bob.ids, 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      const { status } = await call(name, { caller: alice, ...MARKING[name]?.(id) })
      expect(status).toBe(200)
    }
    expect(await everything()).toEqual(before)
  })

  it.each(LISTING)('is in no list of "%s", whatever stands in before', async (name) => {
    for (const before of [undefined, ...bob.ids, 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      const { status, text } = await call(name, { caller: alice, ...(before ? { before } : {}), limit: 1_000 })
      expect(status).toBe(200)
      for (const canary of [bob.userId, bob.name, ...bob.ids]) expect(text).not.toContain(canary)
    }
  })

  it('is not reached by a key that another used', async () => {
    const order = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: bob.name }
    const { status, text } = await call('order', { caller: alice, request: order }, 'key-of-bob')
    expect(status).toBe(200)
    for (const canary of [bob.userId, ...bob.ids]) expect(text).not.toContain(canary)
    const topup = { request: { amount: 500, method: 'sandbox', acceptTerms: true }, returnUrl: RETURN_URL }
    const [his, hers] = [
      await call('topup', { caller: callerOf(bob.userId), ...topup }, 'same-key'),
      await call('topup', { caller: alice, ...topup }, 'same-key'),
    ]
    expect([his.status, hers.status]).toEqual([200, 200])
    expect(hers.text).not.toBe(his.text)
  })
})
