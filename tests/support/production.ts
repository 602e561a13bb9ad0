import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { freePorts } from './free-port.ts'
import { assertOwnListener, startOwnProcess, type OwnProcess } from './own-process.ts'
import { createDatabase } from './postgres.ts'
import { startTestRedis } from './redis.ts'
import { waitFor } from './wait-for.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const secret = (letter: string) => letter.repeat(48)

export type Environment = Record<string, string>

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json: () => unknown
}

/** The programs of docker-compose.yml, from the bundles, behind Caddy with a certificate of its own authority. */
export interface Production {
  url: string
  ca: string
  environments: { site: Environment; 'control-plane': Environment }
  databaseUrl: string
  request(method: string, path: string, options?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a bundle with exactly this environment, as production does. */
export function startBundle(name: string, env: Environment, ...args: string[]): OwnProcess {
  return startOwnProcess({
    command: process.execPath,
    args: ['--conditions=production', '--enable-source-maps', `dist/${name}.mjs`, ...args],
    cwd: ROOT,
    env: { NODE_ENV: 'production', BAKTER_MODE: 'production', ...env },
  })
}

const PORTS = ['https', 'site', 'siteHealth', 'gateway', 'internal'] as const

function environmentsFor(ports: Record<(typeof PORTS)[number], number>, databaseUrl: string, redisUrl: string) {
  const url = `https://localhost:${ports.https}`
  const common = {
    DATABASE_URL: databaseUrl,
    INTERNAL_SECRET: secret('i'),
    SITE_URL: url,
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  }
  return {
    site: {
      ...common,
      PORT: String(ports.site),
      SITE_HEALTH_PORT: String(ports.siteHealth),
      PAYLOAD_SECRET: secret('p'),
      SECRETS_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      CONTROL_PLANE_URL: `http://127.0.0.1:${ports.internal}`,
      GATEWAY_URL: url.replace('https', 'wss'),
    },
    'control-plane': {
      ...common,
      REDIS_URL: redisUrl,
      CONTROL_PLANE_PORT: String(ports.gateway),
      CONTROL_PLANE_INTERNAL_PORT: String(ports.internal),
      CONTROL_PLANE_SECRET: secret('c'),
      CONTROL_PLANE_PUBLIC_URL: url,
      SITE_INTERNAL_URL: `http://127.0.0.1:${ports.siteHealth}`,
    },
  }
}

function sender(url: string, ca: string): Production['request'] {
  return (method, path, { headers = {}, body } = {}) =>
    new Promise((done, fail) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const outgoing = request(
        new URL(path, url),
        { method, ca, headers: { origin: url, ...json, ...headers } },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.once('end', () =>
            done({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text,
              json: () => JSON.parse(text) as unknown,
            }),
          )
        },
      )
      outgoing.once('error', fail)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

async function startCaddy(folder: string, ports: Record<(typeof PORTS)[number], number>): Promise<OwnProcess> {
  return startOwnProcess({
    command: 'caddy',
    args: ['run', '--config', join(ROOT, 'scripts/Caddyfile'), '--adapter', 'caddyfile'],
    env: {
      HOME: folder,
      CADDY_DATA: folder,
      SITE_DOMAIN: `localhost:${ports.https}`,
      TLS_MODE: 'tls internal',
      // Port 80 belongs to the user who runs the tests.
      GLOBAL_OPTIONS: 'auto_https disable_redirects',
      SITE_ADDRESS: `127.0.0.1:${ports.site}`,
      CONTROL_PLANE_ADDRESS: `127.0.0.1:${ports.gateway}`,
    },
  })
}

/** Migrates an empty database and starts the topology; resolves once every program is ready. */
export async function startProduction(): Promise<Production> {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-production-'))
  const found = await freePorts(PORTS.length)
  const ports = Object.fromEntries(PORTS.map((name, at) => [name, found[at] ?? 0])) as Record<
    (typeof PORTS)[number],
    number
  >
  const [database, redis] = await Promise.all([createDatabase(), startTestRedis()])
  const environments = environmentsFor(ports, database.url, redis.url)
  const migrate = startBundle('migrate', environments['control-plane'])
  const { code } = await migrate.ended
  if (code !== 0) throw new Error(`The migrations failed:\n${migrate.output()}`)

  const running = [
    startBundle('control-plane', environments['control-plane']),
    startBundle('site', environments.site),
    await startCaddy(folder, ports),
  ]
  const stop = async () => {
    await Promise.all(running.map((program) => program.stop(35_000)))
    await redis.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const health = [ports.internal, ports.siteHealth]
    await waitFor(
      'the programs to be ready',
      async () => {
        for (const program of running) program.mustRun()
        const answers = await Promise.all(
          health.map((port) => fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(10_000) })),
        )
        return answers.every((answer) => answer.ok)
      },
      240_000,
    )
    const root = join(folder, 'pki/authorities/local/root.crt')
    const ca = await waitFor("Caddy's certificate", () => readFileSync(root, 'utf8'), 60_000)
    const caddy = running[2]
    if (caddy !== undefined) assertOwnListener(ports.https, caddy.pid)
    const url = environments.site.SITE_URL
    return { url, ca, environments, databaseUrl: database.url, request: sender(url, ca), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
