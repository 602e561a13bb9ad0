import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import type { Database } from '#platform/postgres/database.ts'
import type { DemoFile } from '../support/demo.ts'
import { addServer } from '../factories/fleet.ts'
import { withDatabaseDemo } from './own-database-demo.ts'
import { median, type Section } from './report.ts'

const CONNECTIONS = 10
const SECONDS = 3
const ROUNDS = 3
/** As many accounts as the table of limits asks for: each may read 600 times at once, and ten times a second after that. */
const PEOPLE = 300
const SERVERS_OF_EACH = 2
const PASSWORD = 'a password of the benchmark'
const PATHS = ['/api/user/me', '/api/user/servers', '/api/user/notifications', '/api/balance'] as const
const GOALS: Readonly<Record<string, string>> = {
  '/api/user/me': '; goal 1,000/s',
  '/api/user/servers': '; goal 1,000/s',
}
/** PostgreSQL tells its counts a moment after a connection has fallen idle. */
const COUNTED_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function post(demo: DemoFile, at: number, path: string, body: object): Promise<Record<string, string>> {
  const from = `198.18.${Math.floor(at / 250)}.${(at % 250) + 1}`
  const headers = { origin: demo.url, 'x-forwarded-for': from, 'content-type': 'application/json' }
  const answer = await fetch(new URL(path, demo.url), { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
  return (await answer.json()) as Record<string, string>
}

/** Somebody with servers, on a node that is away, so that nobody compares them with anything. Resolves with their access token. */
async function newReader(
  demo: DemoFile,
  db: Database,
  { at, nodeId }: { at: number; nodeId: string },
): Promise<string> {
  const username = `r${at}-${randomUUID().slice(0, 8)}`
  const names = { username, email: `${username}@example.com`, acceptTerms: true }
  await post(demo, at, '/api/auth/register', { ...names, password: PASSWORD, passwordConfirm: PASSWORD })
  const { access_token: token } = await post(demo, at, '/api/auth/login', { username, password: PASSWORD })
  const [person] = await db.query<{ id: string }>('select id from public.users where username = $1', [username])
  if (!token || !person) throw new Error(`${username} cannot sign in.`)
  for (let server = 0; server < SERVERS_OF_EACH; server += 1)
    await addServer(db, nodeId, { ownerId: person.id, state: 'offline', installed: true, power: 'stopped' })
  return token
}

async function newNode(db: Database): Promise<string> {
  const nodeId = randomUUID()
  await db.query(
    `insert into control.nodes (id, computer_id, public_key, name, created_at) values ($1, gen_random_uuid(), $2, 'away', now())`,
    [nodeId, nodeId],
  )
  return nodeId
}

async function transactions(db: Database): Promise<number> {
  await pause(COUNTED_MS)
  const [row] = await db.query<{ count: number }>(
    'select xact_commit::float8 as count from pg_stat_database where datname = current_database()',
  )
  return row?.count ?? 0
}

type Run = { readonly perSecond: number; readonly transactionsEach: number; readonly p99Ms: number }

async function read(demo: DemoFile, db: Database, { path, tokens }: { path: string; tokens: string[] }): Promise<Run> {
  const before = await transactions(db)
  const requests = tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }))
  const result = await autocannon({ url: `${demo.url}${path}`, connections: CONNECTIONS, duration: SECONDS, requests })
  const refused = result.non2xx + result.errors
  if (refused > 0) throw new Error(`${path}: ${refused} of ${result.requests.total} requests failed`)
  const spent = (await transactions(db)) - before
  return {
    perSecond: result.requests.total / result.duration,
    transactionsEach: spent / result.requests.total,
    p99Ms: result.latency.p99,
  }
}

/**
 * The first reads of a signed-in page, as often a second as ten connections get them answered, and their cost to
 * PostgreSQL.
 */
export const benchReads = (): Promise<Section> =>
  withDatabaseDemo({}, async ({ demo: { file }, db }) => {
    const nodeId = await newNode(db)
    const tokens: string[] = []
    for (let at = 0; at < PEOPLE; at += 1) tokens.push(await newReader(file, db, { at, nodeId }))
    const runs = new Map<string, Run[]>(PATHS.map((path) => [path, []]))
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const path of PATHS) {
        const run = await read(file, db, { path, tokens })
        // The first round compiles and plans: it belongs to no figure.
        if (round > 0) runs.get(path)?.push(run)
      }
    return {
      title: 'Reads of an account',
      method:
        `${CONNECTIONS} connections, ${PEOPLE} accounts in turn with ${SERVERS_OF_EACH} servers each, ${SECONDS} s, median of ${ROUNDS} rounds. ` +
        'The load generator, PostgreSQL and the other programs share the cores. Transactions are all that PostgreSQL committed meanwhile.',
      figures: [...runs].flatMap(([path, each]) => [
        {
          what: `GET ${path}`,
          value: median(each.map((run) => run.perSecond)),
          unit: '/s',
          note: `99th percentile ${median(each.map((run) => run.p99Ms))} ms${GOALS[path] ?? ''}`,
        },
        {
          what: `GET ${path}, transactions of PostgreSQL`,
          value: median(each.map((run) => run.transactionsEach)),
          unit: 'each',
        },
      ]),
    }
  })
