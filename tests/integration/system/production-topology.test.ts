import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { freePort } from '../../support/free-port.ts'
import { observe } from '../../support/observatory.ts'
import { startBundle, startProduction, type Production } from '../../support/production.ts'
import { waitFor } from '../../support/wait-for.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.stop())

const account = {
  username: 'first-customer',
  email: 'first@example.test',
  password: 'a long enough password',
  passwordConfirm: 'a long enough password',
  acceptTerms: true,
}

async function accessToken(): Promise<string> {
  const login = await production.request('POST', '/api/auth/login', {
    body: { username: account.username, password: account.password },
  })
  return (login.json() as { access_token: string }).access_token
}

describe('behind Caddy', () => {
  test('the site answers over https with its security headers', async () => {
    const page = await production.request('GET', '/hu')
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/<html[^>]* lang="hu"/)
    // The build did not know this address.
    expect(/<link rel="canonical" href="([^"]+)"/.exec(page.text)?.[1]).toBe(`${production.url}/hu`)
    expect(page.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    // It would make a browser begin its first visit anew.
    expect(page.headers['critical-ch']).toBeUndefined()
  })

  test('an account is made and signed in with cookies that only https carries', async () => {
    const registered = await production.request('POST', '/api/auth/register', { body: account })
    expect(registered.status).toBeLessThan(300)
    const login = await production.request('POST', '/api/auth/login', {
      body: { username: account.username, password: account.password },
    })
    expect(login.status).toBe(200)
    const cookies = login.headers['set-cookie'] ?? []
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure/i)
  })

  test.each([
    ['/en', 'visitor'],
    ['/hu/auth/login', 'visitor'],
    ['/de/auth/register', 'visitor'],
    ['/dashboard/summary', 'customer'],
    ['/panel/01890000-0000-7000-8000-000000000000/console', 'customer'],
  ])("%s earns A+ by the HTTP Observatory's rules", async (path, who) => {
    const login = await production.request('POST', '/api/auth/login', {
      body: { username: account.username, password: account.password },
    })
    const setCookies = login.headers['set-cookie'] ?? []
    const cookie = setCookies.map((one) => one.split(';')[0]).join('; ')
    const page = await production.request('GET', path, { headers: who === 'customer' ? { cookie } : {} })
    expect(page.status).toBe(200)
    const headers = Object.fromEntries(Object.entries(page.headers).map(([name, value]) => [name, String(value)]))
    // Here nobody listens on plain http: Caddy's redirection needs port 80, which belongs to whoever runs the tests.
    const seen = observe({ headers, setCookies, html: page.text, redirectsToHttps: true })
    expect(seen.grade, JSON.stringify(seen.findings)).toBe('A+')
  })

  test('the realtime link goes through to the control plane', async () => {
    const address = `${production.url.replace('https', 'wss')}/api/ws/gateway?token=${await accessToken()}`
    const socket = new WebSocket(address, { ca: production.ca, origin: production.url })
    const events: string[] = []
    socket.on('message', (data) => {
      const { event } = JSON.parse(String(data)) as { event: string }
      events.push(event)
      if (event === 'ping') socket.send(JSON.stringify({ event: 'pong' }))
    })
    await waitFor('a ping', () => events.includes('ping'), 60_000)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close()
  })

  test('a foreign origin does not get the realtime link', async () => {
    const address = `${production.url.replace('https', 'wss')}/api/ws/gateway?token=${await accessToken()}`
    const socket = new WebSocket(address, { ca: production.ca, origin: 'https://elsewhere.example' })
    const outcome = await new Promise((done) => {
      socket.once('error', () => done('refused'))
      socket.once('close', () => done('refused'))
      socket.once('message', () => done('served'))
    })
    expect(outcome).toBe('refused')
  })

  test('the sandbox payment method does not exist', async () => {
    // No mail leaves the tests: the address counts as confirmed, so that nothing but the method is refused.
    const client = new pg.Client({ connectionString: production.databaseUrl })
    await client.connect()
    await client.query('UPDATE public.users SET verified = true WHERE username = $1', [account.username])
    await client.end()
    const authorization = `Bearer ${await accessToken()}`
    const topup = await production.request('POST', '/api/balance/topup', {
      headers: { authorization, 'idempotency-key': 'production-sandbox-1' },
      body: { amount: 5000, method: 'sandbox', acceptTerms: true },
    })
    expect(topup.status).toBeGreaterThanOrEqual(400)
    const balance = await production.request('GET', '/api/balance', { headers: { authorization } })
    expect(balance.json()).toMatchObject({ balanceFt: 0, methods: [] })
    expect((await production.request('GET', '/payments/sandbox/01890000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('there is no page that shows mails', async () => {
    expect((await production.request('GET', '/dev/mail')).status).toBe(404)
  })

  test('private doors are not reachable from outside', async () => {
    for (const path of ['/health/ready', '/metrics', '/internal/account', '/jwks', '/api/internal/revalidate']) {
      const answer = await production.request('GET', path)
      expect.soft(answer.status, path).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('the first administrator and the first node', () => {
  /** A tool of the operator: what it printed and how it ended. */
  async function operate(tool: string, argument: string) {
    const run = startBundle(tool, production.environments['control-plane'], argument)
    const { code } = await run.ended
    return { code, said: run.output().trim() }
  }
  const node = {
    name: 'node-1',
    ip: '203.0.113.9',
    url: 'https://node-1.example.test:8080',
    availableMemoryMiB: 4096,
    storageMiB: 20_480,
    cores: 2,
    startPort: 25_565,
    portCount: 20,
    orderable: true,
  }
  const addNode = async () =>
    production.request('POST', '/api/cms/computers', {
      headers: { authorization: `Bearer ${await accessToken()}` },
      body: node,
    })
  const enrol = (token: string) =>
    production.request('POST', '/api/agent/enrol', {
      body: { token, publicKey: 'A'.repeat(43), agentVersion: '0.1.0', hostname: 'node-1' },
    })

  test('an account of the site is made administrator by its operator, and by nobody else', async () => {
    expect((await addNode()).status).toBe(403)
    expect(await operate('make-administrator', 'nobody-here')).toEqual({
      code: 1,
      said: 'There is no account "nobody-here": register it on the site first.',
    })
    const made = { code: 0, said: `${account.username} is an administrator.` }
    expect(await operate('make-administrator', account.email.toUpperCase())).toEqual(made)
    expect(await operate('make-administrator', account.username)).toEqual(made)
    const me = await production.request('GET', '/api/user/me', {
      headers: { authorization: `Bearer ${await accessToken()}` },
    })
    expect(me.json()).toMatchObject({ role: [{ isAdmin: 1 }] })
    expect((await addNode()).status).toBe(201)
  })

  test('the token that its operator makes enrols a node once', async () => {
    expect(await operate('enrolment-token', 'node-2')).toEqual({
      code: 1,
      said: 'There is no computer "node-2": there are node-1.',
    })
    const { code, said } = await operate('enrolment-token', 'node-1')
    expect(code).toBe(0)
    const token = /^[A-Za-z0-9_-]{43}$/m.exec(said)?.[0] ?? ''
    expect((await enrol(token)).json()).toMatchObject({ name: 'node-1' })
    expect((await enrol(token)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('refusals', () => {
  const required = {
    site: [
      'DATABASE_URL',
      'INTERNAL_SECRET',
      'PAYLOAD_SECRET',
      'SECRETS_KEY',
      'SITE_URL',
      'CONTROL_PLANE_URL',
      'GATEWAY_URL',
    ],
    'control-plane': [
      'DATABASE_URL',
      'INTERNAL_SECRET',
      'CONTROL_PLANE_SECRET',
      'CONTROL_PLANE_PUBLIC_URL',
      'SITE_URL',
      'SITE_INTERNAL_URL',
    ],
  }
  const cases = Object.entries(required).flatMap(([program, names]) => names.map((name) => [program, name] as const))

  test.each(cases)('%s does not start without %s, and names it', async (program, name) => {
    const env: Record<string, string> = { ...production.environments[program as keyof typeof required] }
    delete env[name]
    const started = startBundle(program, env)
    const { code } = await started.ended
    expect(code).not.toBe(0)
    expect(started.output()).toContain(name)
  })

  test.each([
    ['the sandbox payment method', { PAYMENT_METHODS: 'sandbox' }, 'sandbox'],
    ['a folder in place of a mail server', { MAIL_FOLDER: 'mails' }, 'MAIL_FOLDER'],
    ['a fault point', { FAULT: 'order.after-hold:1:kill' }, 'FAULT'],
    ['a short secret', { CONTROL_PLANE_SECRET: 'x'.repeat(20) }, 'CONTROL_PLANE_SECRET'],
    ['one secret for two purposes', { CONTROL_PLANE_SECRET: 'i'.repeat(48) }, 'CONTROL_PLANE_SECRET'],
  ])('the control plane does not start with %s', async (_, change, text) => {
    const started = startBundle('control-plane', { ...production.environments['control-plane'], ...change })
    expect((await started.ended).code).not.toBe(0)
    expect(started.output()).toContain(text)
  })

  test('the site does not start with a placeholder for a secret', async () => {
    const started = startBundle('site', { ...production.environments.site, PAYLOAD_SECRET: 'dev-secret-of-nobody' })
    expect((await started.ended).code).not.toBe(0)
    expect(started.output()).toContain('PAYLOAD_SECRET')
  })

  test('an agent for several tenants does not run servers as plain processes', async () => {
    const started = startBundle('agent', {
      AGENT_DATA: join(tmpdir(), `bakter-agent-${process.pid}`),
      AGENT_PORT: String(await freePort()),
      AGENT_HEALTH_PORT: String(await freePort()),
      CONTROL_PLANE_URL: production.url,
    })
    expect((await started.ended).code).not.toBe(0)
    expect(started.output()).toContain('AGENT_SINGLE_TENANT')
  })

  test('a database with demo accounts stops the migration, before anything starts on it', async () => {
    const client = new pg.Client({ connectionString: production.databaseUrl })
    await client.connect()
    await client.query("UPDATE public.users SET email = 'first@demo.bakter.test' WHERE username = $1", [
      account.username,
    ])
    const started = startBundle('migrate', production.environments['control-plane'])
    const ended = await started.ended
    await client.query('UPDATE public.users SET email = $1 WHERE username = $2', [account.email, account.username])
    await client.end()
    expect(ended.code).toBe(1)
    expect(started.output()).toContain(`demo accounts (${account.username})`)
  })
})

test('the file of a node asks for nothing that a node does not have', () => {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  // Compose looks at all of a file, also for one service of it.
  const required = [...read('agents/docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)(:-)?/g)]
  expect(required.filter(([, , fallback]) => fallback === undefined).map(([, name]) => name)).toEqual(['SITE_DOMAIN'])
  expect(read('docker-compose.yml')).toContain('extends: { file: agents/docker-compose.yml, service: agent }')
})

test('the file of a node hands on every setting of nodes that the page names', () => {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  const named = new Set(read('docs/production.md').match(/\bAGENT_[A-Z0-9_]+/g))
  // A node with the process driver runs under systemd; in its container the agent's address is that of AGENT_HOST.
  for (const name of ['AGENT_SINGLE_TENANT', 'AGENT_HOST']) named.delete(name)
  const handed = new Set(
    read('agents/docker-compose.yml')
      .match(/^ {6}AGENT_[A-Z0-9_]+/gm)
      ?.map((line) => line.trim()),
  )
  expect([...named].filter((name) => !handed.has(name))).toEqual([])
})

test('docker-compose.yml gives no secret a default', () => {
  const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url))
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1] ?? '')
  // AGENT_TLS_KEY names a file, and a node without TLS of its own has none. A keyword is what customers send in a text message.
  const isSecret = (name: string) => /SECRET|PASSWORD|KEY(?!WORD)/.test(name) && name !== 'AGENT_TLS_KEY'
  const named = [...new Set(names)].filter(isSecret)
  // A way to pay whose keys are empty is not offered.
  const ofProviders = named.filter((name) => /^(STRIPE|PAYPAL|BARION|PHONE)_/.test(name))
  for (const name of ofProviders) expect.soft(text, name).toContain(`${name}: \${${name}:-}`)
  const secrets = named.filter((name) => !ofProviders.includes(name))
  expect(secrets.toSorted()).toEqual([
    'CONTROL_PLANE_SECRET',
    'INTERNAL_SECRET',
    'PAYLOAD_SECRET',
    'POSTGRES_PASSWORD',
    'REDIS_PASSWORD',
    'SECRETS_KEY',
  ])
  for (const name of secrets) {
    expect.soft(text, name).toContain(`\${${name}:?`)
    expect.soft(text, name).not.toContain(`\${${name}:-`)
  }
})
