import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { Canaries, drawCanary, filesOf, listenToRedis, rowsOf, SETTING_SECRETS } from '../../support/canaries.ts'
import { CanaryJourney, sender } from '../../support/canary-journey.ts'
import { CanaryPayments } from '../../support/canary-payments.ts'
import { startDemo, type Demo } from '../../support/demo.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'

let home: string
let canaries: Canaries
let demo: Demo
let payments: CanaryPayments

/** The tests stand where a proxy stands in production, and every program writes all that it ever would. */
const start = async (env: Record<string, string>) => {
  home = mkdtempSync(join(tmpdir(), 'bakter-logs-'))
  canaries = new Canaries()
  payments = await CanaryPayments.start(canaries)
  demo = await startDemo({
    dataDir: join(home, 'data'),
    env: { TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'debug', ...payments.env, ...env },
  })
  canaries.cannotTell([...(await rowsOf(databaseUrl())), ...filesOf(demo.dataDir, isOperators), ...builtFiles()])
}
const stop = async () => {
  await demo.stop()
  await payments.close()
  rmSync(home, { recursive: true, force: true })
}

const ownSecrets = (): Record<string, string> =>
  JSON.parse(readFileSync(join(demo.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>

/** The demo's own database: the port of the embedded server stands in the fourth line of its pid file. */
const databaseUrl = (): string => {
  const port = readFileSync(join(demo.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3]
  return `postgres://postgres:${encodeURIComponent(ownSecrets()['postgresPassword'] ?? '')}@127.0.0.1:${port}/bakter`
}

/**
 * Secrets that belong to nobody but the operator: secrets of the installation, mails that were sent, and the node's
 * key.
 */
const OPERATORS_OWN = ['secrets.json', 'demo.json', 'accounts.txt', 'mail', 'postgres', 'node-key.pem']
const isOperators = (path: string) => OPERATORS_OWN.some((name) => path.endsWith(`/${name}`))

const builtFiles = () =>
  ['.next/static', '.next/server/app', '.next/cache/fetch-cache', 'dist'].flatMap((folder) => filesOf(folder))

const logs = () => filesOf(join(demo.dataDir, 'logs'))

const journey = async () => {
  await new CanaryJourney(demo.file, canaries).run(payments)
  for (const [name, value] of Object.entries(ownSecrets()))
    if (typeof value === 'string' && value.length >= 12) canaries.note(`own ${name}`, value)
  const pem = readFileSync(join(demo.dataDir, 'agent/node-key.pem'), 'utf8')
  canaries.note('node credential', pem.split('\n')[1])
  // Lines of the journey are there: what is looked through is what was written.
  await waitFor('the lines of the journey', () => {
    const text = logs()
      .map((log) => log.text)
      .join('\n')
    return ['"path":"/api/auth/logout"', '"path":"/api/ws/gateway"', 'order placed'].every((line) =>
      text.includes(line),
    )
  })
}

/** The cases that hold wherever the queue is. */
const everywhere = () => {
  test('are those that the acceptance names, and each issued one was seen', () => {
    const names = new Set(canaries.names)
    const wanted = ['password', 'access token', 'refresh token', 'TOTP secret', 'recovery code', 'reset token']
    const others = ['verification code', 'node credential', 'console token', 'gateway ticket', 'challenge']
    const ofPayments = ['Stripe key', 'Stripe signing secret', 'secret of an intent', 'PayPal secret', 'PayPal token']
    const keys = ['Barion POS key', 'first phone secret', 'second phone secret']
    for (const name of [...wanted, ...others, ...ofPayments, ...keys, ...SETTING_SECRETS.map((secret) => secret.name)])
      expect(names).toContain(name)
    expect(canaries.neverGiven()).toEqual([])
  })

  test('appear in no response but the one that issues them', () => {
    expect(canaries.hitsInAnswers()).toEqual([])
  })

  test('appear in no log and in no output of a program', () => {
    expect(canaries.hitsIn(logs())).toEqual([])
    // The first start tells its operator the passwords of the demo's accounts.
    const said = [{ where: 'the output', text: demo.supervisor.output() }]
    expect(canaries.hitsIn(said, (name) => !/^own (?:admin|support|customer)Password$/.test(name))).toEqual([])
  })

  test('appear in no row of the database, as text or as bytes', async () => {
    const rows = await rowsOf(databaseUrl())
    const tables = rows.filter(({ text }) => text !== '').map(({ where }) => where)
    for (const name of [
      'identity.sessions',
      'identity.totp',
      'identity.recovery_codes',
      'public.settings',
      'control.mails',
    ])
      expect(tables).toContain(`table ${name}`)
    expect(canaries.hitsIn(rows)).toEqual([])
  })

  test('appear in no file of the data folder that is not the operator’s own', () => {
    expect(canaries.hitsIn(filesOf(demo.dataDir, isOperators))).toEqual([])
  })
}

describe('secrets of a whole journey with the queue on Redis (canaries, case 158)', () => {
  let redis: TestRedis
  let heard: ReturnType<typeof listenToRedis>
  beforeAll(async () => {
    redis = await startTestRedis()
    heard = listenToRedis(redis.port)
    await start({ REDIS_URL: redis.url })
    await journey()
  })
  afterAll(async () => {
    await stop()
    heard.close()
    await redis.stop()
  })

  everywhere()

  test('appear in no queue, event or cache in Redis', () => {
    const said = heard.written()
    expect(said.text.includes('"publish" "bakter_events"')).toBe(true)
    expect(said.text.includes('"bull:tasks:')).toBe(true)
    expect(canaries.hitsIn([said])).toEqual([])
  })

  test('appear in no script, page or cache of the build', () => {
    const files = builtFiles()
    expect(files.length).toBeGreaterThan(100)
    expect(canaries.hitsIn(files)).toEqual([])
  })

  test('would be found: a place that holds them is reported by name', () => {
    const secret = drawCanary('sample')
    const own = new Canaries()
    own.note('sample', secret, 'GET /given')
    own.note('code', '482917')
    const answered = { status: 200, ownQuery: null }
    own.heard('GET /given', { ...answered, text: secret })
    own.heard('GET /other', { ...answered, text: `before ${secret} after` })
    own.heard('GET /echo', { ...answered, text: secret, ownQuery: `token=${secret}` })
    expect(own.hitsInAnswers()).toEqual(['sample in the answer of GET /other: 200 before *** after'])
    for (const text of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      expect(own.hitsIn([{ where: 'place', text }])).toEqual(['sample in place'])
    const places = ['code 482917.', '{"code":"482917"}', '1482917', '12:00:00.482917+00', 'a482917b']
    expect(places.map((text) => own.hitsIn([{ where: 'here', text }]).length)).toEqual([1, 1, 0, 0, 0])
    own.cannotTell([{ where: 'a price', text: 'amount 482917' }])
    expect(own.hitsIn([{ where: 'here', text: 'code 482917.' }])).toEqual([])
  })
})

describe('secrets of a whole journey with the queue on PostgreSQL', () => {
  beforeAll(async () => {
    await start({})
    await journey()
  })
  afterAll(() => stop())

  everywhere()

  test('went through the queue: its rows were searched', async () => {
    const rows = await rowsOf(databaseUrl())
    const queued = rows.filter(({ where, text }) => /bullmq/i.test(where) && text.includes('mail-send'))
    expect(queued).not.toEqual([])
  })

  describe('the limits by address', () => {
    test('give two addresses of one /64 the same bucket, and a neighbouring network its own', async () => {
      const send = sender(demo.file, new Canaries())
      const login = async (address: string) => {
        const body = { username: drawCanary('nobody').slice(0, 30), password: 'a wrong password' }
        return (await send('POST', '/api/auth/login', { body, address })).status
      }
      // Twenty at once, and one is given back every 15 s: how many more are answered goes by how long this machine takes for them.
      const startMs = performance.now()
      const answers: number[] = []
      while (!answers.includes(429) && answers.length < 100) {
        const from = answers.length
        const addresses = Array.from({ length: 5 }, (_, at) =>
          at % 2 === 0 ? `2001:db8:1:2::${from + at + 1}` : `2001:db8:1:2:ffff:${from + at}:0:1`,
        )
        answers.push(...(await Promise.all(addresses.map(login))))
      }
      const givenBack = Math.ceil((performance.now() - startMs) / 15_000)
      const tried = answers.filter((status) => status === 401).length
      expect(new Set(answers)).toEqual(new Set([401, 429]))
      expect(tried).toBeGreaterThanOrEqual(20)
      expect(tried).toBeLessThanOrEqual(20 + givenBack)
      expect(await login('2001:db8:1:3::1')).toBe(401)
    })
  })
})
