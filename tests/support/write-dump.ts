// Runs the demo of this state of the product on an empty database, lets somebody use it, and writes what the database holds
// into tests/fixtures/dumps, and what its agent keeps about its servers into tests/fixtures/agent-state, for later states to migrate: node --import tsx tests/support/write-dump.ts <name>
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

import { startEmbeddedPostgres } from '../../scripts/start/embedded-postgres.mjs'
import { mailedCode } from './demo-mail.ts'
import { startDemo, type Demo } from './demo.ts'
import { dumpDatabase, hearMigrations } from './dump-database.ts'
import { moveMoney } from './dump-money.ts'
import { freePort } from './free-port.ts'
import { keepAgentState, usePanel } from './use-panel.ts'
import { waitFor } from './wait-for.ts'

type Json = Record<string, unknown>
type Ask = (path: string, body?: object, method?: string) => Promise<Json>

const SMTP_PASSWORD = 'the password of a mail server from before'
/** The keys that seal values in the database. */
const SECRETS = ['payloadSecret', 'secretsKey', 'controlPlaneSecret']
const ORDERED = 'A server from before'
/** Coupon codes created by staff: one lowers an order's price, one grants spins. */
const [COUPON, SPIN_COUPON] = ['BEFORE-20', 'SPINS-BEFORE']

/** Calls the site as the person of the token. */
const askAs =
  (url: string, token?: string): Ask =>
  async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        origin: url,
        'idempotency-key': randomUUID(),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as Json
  }

const signIn = async (url: string, account: { username: string; password: string }) => {
  const { username, password } = account
  const tokens = await askAs(url)('/api/auth/login', { username, password })
  return { access: String(tokens['access_token']), refresh: String(tokens['refresh_token']) }
}

const joinUp = async (url: string) => {
  const mark = randomBytes(4).toString('hex')
  const account = { username: `before-${mark}`, password: `long enough ${mark}`, email: `before-${mark}@example.com` }
  await askAs(url)('/api/auth/register', { ...account, passwordConfirm: account.password, acceptTerms: true })
  return account
}

const confirm = async (url: string, ask: Ask, email: string): Promise<void> => {
  const { verified } = await ask('/api/user/me')
  if (verified !== false) return
  const code = await mailedCode(async (path) => (await fetch(`${url}${path}`)).text(), email).catch(() => undefined)
  if (code !== undefined) await ask('/api/auth/verify', { code })
}

const topUp = async (ask: Ask, amount: number): Promise<void> => {
  const { redirectUrl } = await ask('/api/balance/topup', { amount, method: 'sandbox', acceptTerms: true })
  const page = String(redirectUrl)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(page).origin }
  await fetch(page, { method: 'POST', headers, body: 'decision=succeed', redirect: 'manual' })
  await waitFor('the money', async () => (await ask('/api/balance'))['balanceFt'] === amount)
}

const rentBot = async (ask: Ask): Promise<string> => {
  const services = (await ask('/api/services')) as unknown as { id: string; slug: string; packages: { id: string }[] }[]
  const bot = services.find(({ slug }) => slug === 'bot')
  const order = { serviceId: bot?.id, packageId: bot?.packages[0]?.id, months: 1, name: ORDERED, couponCode: COUPON }
  const { server } = await ask('/api/orders', order)
  const id = String((server as Json)['id'])
  await waitFor('the order', async () => (await ask('/api/balance/transactions')) && paidFor(ask), 180_000)
  return id
}

/** The order is settled once none of the balance is reserved. */
const paidFor = async (ask: Ask): Promise<boolean> => {
  const balance = await ask('/api/balance')
  return Number(balance['balanceFt']) < 5_000 && Number(balance['heldFt'] ?? 0) === 0
}

/** One accepts the invitation to the panel, the other one leaves it open. */
const guestsOf = async ({ url, customer, support }: Demo['file']) => {
  const ask = askAs(url, (await signIn(url, customer)).access)
  const emailOf = async (account: { username: string; password: string }) =>
    String((await askAs(url, (await signIn(url, account)).access)('/api/user/me'))['email'])
  return { ask, email: await emailOf(customer), pendingEmail: await emailOf(support) }
}

const use = async ({ file }: Demo) => {
  const staff = askAs(file.url, (await signIn(file.url, file.admin)).access)
  await staff('/api/cms/globals/settings', { smtp: { password: SMTP_PASSWORD } })
  const discount = { name: 'From before', code: COUPON, type: 'percentage', amount: 20, usage: 'once', active: true }
  await staff('/api/cms/coupons', discount)
  await staff('/api/cms/spin-coupons', { code: SPIN_COUPON, numberOfUses: 5, spins: 2, active: true })
  const account = await joinUp(file.url)
  const session = await signIn(file.url, account)
  const ask = askAs(file.url, session.access)
  await confirm(file.url, ask, account.email)
  await topUp(ask, 5_000)
  const serverId = await rentBot(ask)
  const panel = await usePanel({ ask, serverId }, await guestsOf(file))
  // Waits until nodes and the outbox have delivered their reports.
  await pause(5_000)
  return { ...account, ...session, serverId, panel, balance: await ask('/api/balance') }
}

const [name] = process.argv.slice(2)
if (name === undefined) throw new Error('The name of the dump is missing.')
const folder = mkdtempSync(join(tmpdir(), 'dump-'))
const server = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  port: await freePort(),
  password: 'dump',
  logFile: join(folder, 'log'),
  durable: false,
})
const withDatabase = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  return work(client).finally(() => client.end())
}
try {
  await withDatabase(hearMigrations)
  const data = join(folder, 'data')
  const demo = await startDemo({ dataDir: data, env: { DATABASE_URL: server.url('postgres'), HOST: '127.0.0.1' } })
  const { panel, ...used } = await use(demo).finally(() => demo.stop())
  keepAgentState(join(data, 'agent'), `tests/fixtures/agent-state/${name}`)
  const who = {
    customer: used.username,
    debtor: demo.file.customer.username,
    serverId: used.serverId,
    spinCode: SPIN_COUPON,
  }
  const { balance, money } = await moveMoney(server.url('postgres'), who)
  const customer = { ...used, balance }
  const made = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as Json
  const secrets = Object.fromEntries(SECRETS.map((each) => [each, made[each]]))
  const staff = { admin: demo.file.admin, support: demo.file.support }
  const facts = {
    madeAt: new Date().toISOString(),
    smtpPassword: SMTP_PASSWORD,
    customer,
    ...staff,
    money,
    panel,
    secrets,
  }
  writeFileSync(`tests/fixtures/dumps/${name}.json`, `${JSON.stringify(facts, null, 2)}\n`)
  // A word of its own: a short name is also a part of words and of keys.
  const machine = new RegExp(String.raw`(?<![\w+/=-])${hostname().replaceAll('.', String.raw`\.`)}(?![\w+/=-])`, 'g')
  writeFileSync(`tests/fixtures/dumps/${name}.sql`, (await withDatabase(dumpDatabase)).replaceAll(machine, 'machine'))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
