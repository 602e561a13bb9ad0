// Four customers at the till, each with a connection of its own. Every call is written down before it is made and after it was
// answered, at once, so that what was written survives kill -9 of this process.
import { openSync, readFileSync, writeSync } from 'node:fs'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { corrected } from '../../../control-plane/money/ledger/postings.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import { APPLICATION_ROLE } from '../../factories/control-database.ts'
import { callerOf } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'
import type { Wish } from '../../support/money-history.ts'

export type Customer = { readonly userId: string; readonly serverId: string; readonly paymentId: string }
/** As JSON in the environment variable WORK. `logs` are read for what died unanswered and is asked for again. */
export type ClientWork = {
  readonly log: string
  readonly before: string | null
  readonly customers: readonly Customer[]
  readonly shop: { readonly serviceId: string; readonly packageId: string }
  readonly wishes: number
}
/** `attempt` is another one each time that a wish is tried: two may be under way at once. */
export type Line = {
  op: string
  attempt: string
  user: string
  kind: Wish
  at: string
  amount: string
  answer?: string
  body?: Body
}
type Body = { readonly count: number; readonly outcome: 'installed' | 'failed' }

const NOW = Date.UTC(2026, 5, 1)
export const PRICE_FT = 990n

/** A bank that has every payment's money. */
export const bankOf = (db: Database) =>
  toldProvider({
    id: 'stripe',
    capabilities: { ...toldProvider().capabilities, refunds: 'partial' },
    open: ({ paymentId }) =>
      Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
    fetchState: async ({ paymentId }) => {
      const rows = await db.query<{ amount_ft: bigint }>('select amount_ft from control.payments where id = $1', [
        paymentId,
      ])
      const amount = observedAmount(forints(rows[0]?.amount_ft ?? 0n))
      return observation({ reference: paymentId, amount })
    },
    refund: ({ refundId }) =>
      Promise.resolve({ state: 'succeeded', providerRefundId: `re_${refundId}`, failureCode: null }),
  })

export const tillOn = (db: Database, bank: Database) => {
  const provider = bankOf(bank)
  return paymentContext(db, { now: () => NOW, providers: { all: [provider], find: () => provider } })
}

const amountOf = (kind: Wish, { count }: Body): bigint => {
  if (kind === 'top-up') return 500n + BigInt(count)
  if (kind === 'correction') return BigInt(count % 2 === 0 ? count + 1 : -count - 1)
  if (kind === 'spins') return -200n * BigInt(1 + (count % 5))
  if (kind === 'renewal') return -PRICE_FT * BigInt(1 + (count % 3))
  return kind === 'refund' ? -1n - BigInt(count) : -PRICE_FT
}

type Call = { db: Database; bank: Database; customer: Customer; op: string; body: Body; shop: ClientWork['shop'] }
type Answer = { ok: boolean; code?: string }

const CALLS: Record<Exclude<Wish, 'read'>, (call: Call) => Promise<Answer | 'released'>> = {
  'top-up': async ({ db, bank, customer, op, body }) => {
    const context = tillOn(db, bank)
    const command = topUpCommand(customer.userId, {
      key: op,
      method: 'stripe',
      amount: Number(amountOf('top-up', body)),
    })
    const started = await startTopUp(context, { ...command, requestId: op })
    if (!started.ok) return started
    const [row] = await db.query<{ id: string }>('select id from control.payments where request_id = $1', [op])
    return { ok: (await checkPayment(context, row?.id ?? '')) === 'settled' }
  },
  correction: ({ db, customer, op, body }) => {
    const amount = forints(amountOf('correction', body))
    const origin = { id: systemIds.next(), atMs: NOW, actor: 'staff:till', requestId: op }
    const posted = { id: op, userId: customer.userId, amount, reason: 'Corrected.' }
    return tillOn(db, db).ledgerOn(db).post(corrected(origin, posted))
  },
  spins: ({ db, customer, op, body }) =>
    purchaseSpins(tillOn(db, db), { ...askOf(customer, op), request: { count: 1 + (body.count % 5) } }),
  renewal: ({ db, customer, op, body }) =>
    renewServer(tillOn(db, db), {
      ...askOf(customer, op),
      serverId: customer.serverId,
      request: { months: 1 + (body.count % 3) },
    }),
  refund: ({ db, bank, customer, op, body }) =>
    refundPayment(tillOn(db, bank), {
      staffId: customer.userId,
      paymentId: customer.paymentId,
      amountFt: 1 + body.count,
      reason: 'Asked for it.',
      requestId: op,
      idempotencyKey: op,
    }).then((result) => (result.ok ? { ok: result.state === 'succeeded' } : result)),
  order: async ({ db, customer, op, body, shop }) => {
    const context = tillOn(db, db)
    const placed = await placeOrder(context, { ...askOf(customer, op), request: { ...shop, months: 1, name: 'S' } })
    if (!placed.ok) return placed
    await settleOrder(context, { serverId: placed.answer.serverId, outcome: body.outcome, reason: 'r' })
    return body.outcome === 'installed' ? placed : 'released'
  },
}
const askOf = ({ userId }: Customer, op: string) => ({ caller: callerOf(userId), requestId: op, idempotencyKey: op })

const wordOf = (answer: Answer | 'released'): string => {
  if (answer === 'released') return 'released'
  if (answer.ok) return 'ok'
  // The refund is on its way, or somebody else has the same wish under way: nobody knows yet.
  if (answer.code === undefined || answer.code === 'IN_PROGRESS') return 'unknown'
  return answer.code === 'INSUFFICIENT_BALANCE' ? 'short' : 'refused'
}

export function clientOf(
  { db, bank, work }: { db: Database; bank: Database; work: ClientWork },
  log: (line: Line) => void,
) {
  const at = () => process.hrtime.bigint().toString()
  const wish = async (line: Line & { body: Body }) => {
    const { op, user, kind, body } = line
    const customer = work.customers.find(({ userId }) => userId === user)
    if (!customer || kind === 'read') return
    const attempt = systemIds.next()
    log({ ...line, attempt, at: at() })
    const { shop } = work
    const answer = await CALLS[kind]({ db, bank, customer, op, body, shop }).then(wordOf, () => 'unknown')
    // A short balance is told by a refund of a payment that is spent, too: the wallet had it.
    if (answer !== 'unknown') log({ op, attempt, user, kind, amount: line.amount, at: at(), answer })
  }
  const read = async (user: string) => {
    const op = systemIds.next()
    log({ op, attempt: op, user, kind: 'read', amount: '0', at: at() })
    const balance = await tillOn(db, db)
      .ledgerOn(db)
      .userBalance(user, 'HUF')
      .catch(() => undefined)
    if (balance) log({ op, attempt: op, user, kind: 'read', amount: `${balance.money.minor}`, at: at(), answer: 'ok' })
  }
  return { wish, read }
}

const pick = <Each>(all: readonly Each[]): Each => all[Math.floor(Math.random() * all.length)] as Each
const KINDS = ['top-up', 'spins', 'spins', 'correction', 'order', 'renewal', 'refund', 'spins'] as const

function newWish(work: ClientWork): Line & { body: Body } {
  const kind = pick(KINDS)
  const body = { count: Math.floor(Math.random() * 400), outcome: pick(['installed', 'installed', 'failed'] as const) }
  const amount = `${amountOf(kind, body)}`
  return { op: systemIds.next(), attempt: '', user: pick(work.customers).userId, kind, at: '', amount, body }
}

const lines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)

/** A request that a process before this one made without an answer is repeated under the same key. */
function leftOpen(file: string): (Line & { body: Body })[] {
  const all = lines(file)
  const answered = new Set(all.filter(({ answer }) => answer !== undefined).map(({ op }) => op))
  return all.flatMap((line) => (line.body && !answered.has(line.op) ? [{ ...line, body: line.body }] : []))
}

async function main(): Promise<void> {
  const work = JSON.parse(process.env['WORK'] ?? '{}') as ClientWork
  const file = openSync(work.log, 'a')
  const log = (line: Line) => void writeSync(file, `${JSON.stringify(line)}\n`)
  const again = work.before === null ? [] : leftOpen(work.before)
  const url = process.env['DATABASE_URL'] ?? ''
  const common = { url, role: APPLICATION_ROLE, waitMs: 60_000 }
  const connect = () => openPostgres({ ...common, applicationName: 'client', maxConnections: 1 })
  const bank = openPostgres({ ...common, applicationName: 'bank', maxConnections: 2 })
  const done: (Line & { body: Body })[] = []
  const live = async (db: Database) => {
    const client = clientOf({ db, bank, work }, log)
    for (let count = 0; count < work.wishes; count += 1) {
      const line = again.pop() ?? (done.length > 0 && Math.random() < 0.1 ? pick(done) : newWish(work))
      done.push(line)
      await client.wish(line)
      if (count % 3 === 0) await client.read(pick(work.customers).userId)
    }
    await db.close()
  }
  await Promise.all(Array.from({ length: 4 }, () => live(connect())))
  await bank.close()
}

if (process.env['WORK'] !== undefined) await main()
