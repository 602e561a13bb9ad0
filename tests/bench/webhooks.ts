import { Agent, request } from 'node:http'
import type { Database } from '#platform/postgres/database.ts'
import { systemIds } from '#platform/ids.ts'
import { startStripe, type StripeEmulator } from '../emulators/stripe/stripe-server.ts'
import { STRIPE_KEYS } from '../factories/card-providers.ts'
import { commitsPerSecond } from './commits.ts'
import { withDatabaseDemo } from './own-database-demo.ts'
import { percentile, type Section } from './report.ts'

const PAYMENTS = Number(process.env['BENCH_SCALE'] ?? 10_000) / 5
const SENDERS = 16
const AMOUNT_FT = 5_000

type Message = { readonly body: string; readonly headers: Readonly<Record<string, string>> }
type Paid = { readonly paymentId: string; readonly message: () => Message }

/** Payments that were opened here and paid at Stripe, whose events were not delivered yet. */
async function paidPayments(db: Database, stripe: StripeEmulator): Promise<Paid[]> {
  const paid: Paid[] = []
  for (let count = 0; count < PAYMENTS; count += 1) {
    const paymentId = systemIds.next()
    const metadata = { payment_id: paymentId }
    const intent = stripe.books.create({ amount: AMOUNT_FT * 100, currency: 'huf', description: 'Bench', metadata })
    stripe.books.confirm(intent.id, 'pm_card_visa', 'http://site.test/back')
    await db.query(
      `insert into control.payments (id, user_id, provider, provider_payment_id, amount_ft, return_url, terms_accepted_at, locale, request_id,
         next_check_at, created_at, updated_at, kind, credited_ft, state)
       values ($1, $2, 'stripe', $3, $4, 'http://site.test/', now(), 'hu', 'bench', 'infinity', now(), now(), 'card', $4, 'pending')`,
      [paymentId, systemIds.next(), intent.id, AMOUNT_FT],
    )
    const event = stripe.events.findLast(({ type }) => type === 'payment_intent.succeeded')
    if (event === undefined) throw new Error('The emulator tells of no payment.')
    paid.push({ paymentId, message: () => stripe.message(event) })
  }
  return paid
}

const agent = new Agent({ keepAlive: true, maxSockets: SENDERS })

const post = (url: URL, { body, headers }: Message): Promise<number> =>
  new Promise((done, fail) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        answer.resume().once('end', () => done(answer.statusCode ?? 0))
      },
    )
    sent.once('error', fail).end(body)
  })

type Delivered = { readonly perSecond: number; readonly times: readonly number[] }

/** Sends each message once from all senders; `after` is called when its acknowledgement has come. */
async function deliver(
  url: URL,
  messages: readonly Paid[],
  { expected, after }: { expected: number; after: (paid: Paid, at: number) => Promise<void> },
): Promise<Delivered> {
  const waiting = messages.map((paid, at) => ({ paid, at }))
  const times: number[] = []
  const beganAt = performance.now()
  const send = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const message = next.paid.message()
      const sentAt = performance.now()
      const status = await post(url, message)
      if (status !== expected) throw new Error(`A webhook was answered with ${status}.`)
      times.push(performance.now() - sentAt)
      await after(next.paid, next.at)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, send))
  return { perSecond: (messages.length * 1_000) / (performance.now() - beganAt), times }
}

/**
 * An acknowledged event is on the disk: another connection sees the money, of every twentieth at once and of all at the
 * end.
 */
async function isCredited(db: Database, ids: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ n: number }>(
    `select count(*)::int as n from control.payments p join control.ledger_transactions t on t.ref_id = p.id::text and t.kind = 'top-up'
     join control.provider_events e on e.provider_payment_id = p.provider_payment_id and e.processed_at is not null
     where p.id = any($1) and p.state = 'settled'`,
    [ids],
  )
  return row?.n === ids.length
}

/** Webhooks that the site's own door acknowledges in a second: first deliveries, replays, and forged ones for comparison. */
export async function benchWebhooks(): Promise<Section> {
  const stripe = await startStripe(STRIPE_KEYS)
  const env = {
    PAYMENT_METHODS: 'sandbox,stripe',
    STRIPE_API_URL: stripe.url,
    STRIPE_JS_URL: stripe.scriptUrl,
    STRIPE_SECRET_KEY: STRIPE_KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhookSecrets[0] ?? '',
  }
  try {
    return await withDatabaseDemo(env, async ({ demo, db }) => {
      const url = new URL('/payments/webhooks/stripe', demo.file.url)
      const paid = await paidPayments(db, stripe)
      const check = async ({ paymentId }: Paid, at: number) => {
        if (at % 20 === 0 && !(await isCredited(db, [paymentId])))
          throw new Error('Acknowledged before it was durable.')
      }
      const first = await deliver(url, paid, { expected: 200, after: check })
      const ids = paid.map(({ paymentId }) => paymentId)
      if (!(await isCredited(db, ids))) throw new Error('Not every acknowledged payment was credited once.')
      const nothing = async () => {}
      const again = await deliver(url, paid, { expected: 200, after: nothing })
      if (!(await isCredited(db, ids))) throw new Error('A replay changed something.')
      const forged = paid.map((each) => ({ ...each, message: () => ({ ...each.message(), body: '{}' }) }))
      const refused = await deliver(url, forged, { expected: 400, after: nothing })
      const commits = await commitsPerSecond(db, SENDERS)
      const door = { what: 'the same door refusing a forged signature', value: refused.perSecond }
      return {
        title: 'Webhooks',
        method:
          `${PAYMENTS} signed events of Stripe at the site's door, ${SENDERS} senders; each is acknowledged after the payment was fetched from Stripe ` +
          '(the emulator), credited and committed to the disk, which another connection confirms for every twentieth at once and for all at the end.',
        figures: [
          {
            what: 'first deliveries acknowledged',
            value: first.perSecond,
            unit: '/s',
            against: door,
            note: 'goal 200/s',
          },
          {
            what: 'first deliveries acknowledged',
            value: first.perSecond,
            unit: '/s',
            against: { what: `commits of one row by ${SENDERS} writers`, value: commits },
          },
          { what: 'replays acknowledged', value: again.perSecond, unit: '/s', against: door },
          { what: 'first delivery, 99th percentile', value: percentile(first.times, 0.99), unit: 'ms' },
        ],
      }
    })
  } finally {
    agent.destroy()
    await stripe.close()
  }
}
