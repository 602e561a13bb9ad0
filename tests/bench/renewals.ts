import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/postgres/database.ts'
import { buildServerSpec } from '../factories/server-spec.ts'
import { commitsPerSecond } from './commits.ts'
import { withDatabaseDemo } from './own-database-demo.ts'
import { percentile, type Section } from './report.ts'

/** `BENCH_SCALE=100000 npm run bench -- renewals` for the large one. */
const SERVERS = Number(process.env['BENCH_SCALE'] ?? 10_000)
const OTHERS_A_SECOND = 20
const WARM_MS = 5_000
const QUIET_MS = 15_000
/** So long after the start nothing would come any more. */
const PATIENCE_MS = 60 * 60_000
const PRICE_FT = 990

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * Servers that renew themselves and whose day is tomorrow, each of a customer with the money for it. They live on a node that is away,
 * so what is measured is the money and not an installation. They are due when the bench says so.
 */
async function seed(db: Database): Promise<void> {
  const nodeId = randomUUID()
  await db.query(
    `insert into control.nodes (id, computer_id, public_key, name, created_at)
     values ($1::uuid, gen_random_uuid(), $1::text, 'away', now())`,
    [nodeId],
  )
  await db.query(
    `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, desired, desired_power, spec,
       service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at, auto_renew, lifetime_due_at)
     select gen_random_uuid(), 'b' || lpad(n::text, 7, '0'), gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), 'Bench', 'installed',
       'stopped', $2, '{"en":"Bench","hu":"Bench","de":"Bench"}', 1, 1, 1, ${PRICE_FT}, now() + interval '12 hours',
       now() - interval '29 days', true, 'infinity'
     from generate_series(1, $3::int) n`,
    [nodeId, JSON.stringify(buildServerSpec()), SERVERS],
  )
  // The trigger on a new expiry does not see inserts, so nothing is due yet. The money comes in pieces, as no transaction is that large.
  for (let from = 0; from < SERVERS; from += 5_000) {
    await db.query(
      `select count(p.status) from (select owner_id, gen_random_uuid()::text as id from control.servers due where node_id = $1
         order by due.id offset $2 limit 5000) s, lateral control.ledger_post(
         jsonb_build_object('id', s.id, 'kind', 'bonus', 'key', 'bonus:' || s.id, 'hash', encode(sha256(s.id::bytea), 'hex'),
           'currency', 'HUF', 'at', now(), 'reason', 'Bench', 'refType', 'grant', 'refId', s.id, 'actor', 'bench', 'requestId', 'bench'),
         jsonb_build_array(
           jsonb_build_object('kind', 'promotion', 'owner', '00000000-0000-0000-0000-000000000000', 'provider', '', 'amount', '-${PRICE_FT}'),
           jsonb_build_object('kind', 'user_bonus', 'owner', s.owner_id, 'provider', '', 'amount', '${PRICE_FT}'))) p`,
      [nodeId, from],
    )
  }
  await db.query('analyze')
}

type Asking = { stop(): Promise<number[]> }

/**
 * GET /api/user/me so many times a second, begun whether the ones before were answered or not. One account may ask ten times a second,
 * so there are several.
 */
function askMeanwhile(url: string, tokens: readonly string[]): Asking {
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let [asked, refused] = [0, 0]
  const one = async () => {
    asked += 1
    const headers = {
      authorization: `Bearer ${tokens[asked % tokens.length] ?? ''}`,
      'x-forwarded-for': `198.18.0.${(asked % 200) + 1}`,
    }
    const beganAt = performance.now()
    const answer = await fetch(`${url}/api/user/me`, { headers })
    await answer.arrayBuffer()
    if (answer.status === 200) times.push(performance.now() - beganAt)
    else refused += 1
  }
  const timer = setInterval(() => {
    const asking = one().finally(() => open.delete(asking))
    open.add(asking)
  }, 1_000 / OTHERS_A_SECOND)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
      if (refused > times.length / 100) throw new Error(`${refused} of ${asked} requests were refused.`)
      return times
    },
  }
}

async function signIn(url: string, account: { username: string; password: string }): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(account),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`Signing in was answered with ${answer.status}.`)
  return token
}

type Renewed = { readonly seconds: number; readonly oldestMessageSeconds: number }

/** Resolves with the seconds that the renewals took, from the first to the last of them, and the longest that a message waited meanwhile. */
async function renewAll(db: Database): Promise<Renewed> {
  await db.query(`update control.servers set lifetime_due_at = null where lifetime_due_at = 'infinity'`)
  const untilMs = performance.now() + PATIENCE_MS
  let oldestMessageSeconds = 0
  for (;;) {
    const [row] = await db.query<{ count: number; seconds: number; oldest: number }>(
      `select count(*)::int, extract(epoch from max(created_at) - min(created_at))::float as seconds,
         (select coalesce(extract(epoch from now() - min(available_at)), 0)::float from control.outbox where available_at <= now()) as oldest
       from control.renewals`,
    )
    oldestMessageSeconds = Math.max(oldestMessageSeconds, row?.oldest ?? 0)
    if (row && row.count >= SERVERS) return { seconds: row.seconds, oldestMessageSeconds }
    if (performance.now() > untilMs)
      throw new Error(`${row?.count ?? 0} of ${SERVERS} servers were renewed in an hour.`)
    await pause(500)
  }
}

/** How many renewals a second the whole demo makes when all are due at once, and how long others wait meanwhile. */
export function benchRenewals(): Promise<Section> {
  return withDatabaseDemo({}, async ({ demo, db }) => {
    await seed(db)
    const { url, customer, support, admin } = demo.file
    const tokens = await Promise.all([customer, support, admin].map((account) => signIn(url, account)))
    const warming = askMeanwhile(url, tokens)
    await pause(WARM_MS)
    await warming.stop()
    const quiet = askMeanwhile(url, tokens)
    await pause(QUIET_MS)
    const without = await quiet.stop()
    const meanwhile = askMeanwhile(url, tokens)
    const { seconds, oldestMessageSeconds } = await renewAll(db)
    const during = await meanwhile.stop()
    const [broken] = await db.query<{ n: number }>('select count(*)::int as n from control.ledger_violations')
    if (broken?.n !== 0) throw new Error('The ledger is broken after the bench.')
    const commits = await commitsPerSecond(db, 1)
    return {
      title: 'Renewals due at once',
      method:
        `${SERVERS} servers that renew themselves, each of its own customer with the money, due at the same moment on a whole demo whose PostgreSQL ` +
        `syncs every commit; each renewal is charged, invoiced and told. Their node is unreachable, so no command is sent to it. Meanwhile ${OTHERS_A_SECOND} GET /api/user/me a second.`,
      figures: [
        {
          what: 'renewals',
          value: SERVERS / Math.max(1, seconds),
          unit: '/s',
          against: {
            what: 'commits of one row, one after the other, as numbers of invoices are given',
            value: commits,
          },
          note: `${SERVERS} in ${seconds.toFixed(0)} s; goal 100/s`,
        },
        {
          what: 'GET /api/user/me, 99th percentile',
          value: percentile(during, 0.99),
          unit: 'ms',
          against: { what: 'without renewals', value: percentile(without, 0.99) },
          note: `${during.length} requests; goal 250 ms`,
        },
        {
          what: 'GET /api/user/me, median',
          value: percentile(during, 0.5),
          unit: 'ms',
          against: { what: 'without renewals', value: percentile(without, 0.5) },
        },
        {
          what: 'longest wait of a message in the outbox',
          value: oldestMessageSeconds,
          unit: 's',
          note: 'an order, a payment or a mail of that moment is behind as many messages',
        },
      ],
    }
  })
}
