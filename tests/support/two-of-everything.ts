import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { systemIds } from '#platform/ids.ts'
import { addServer } from '../factories/fleet.ts'
import { buildServerSpec } from '../factories/server-spec.ts'
import { scratchFolder } from './agent-bundles.ts'
import { startAgent, type AgentUnderTest } from './agent-process.ts'
import { FaultProxy } from './fault-proxy.ts'
import { startSmtp, type SmtpEmulator } from '../emulators/smtp/smtp-server.ts'
import { freePorts } from './free-port.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { ownUsers } from './own-users.ts'
import { createDatabase, type TestDatabase } from './postgres.ts'
import { startTestRedis, type TestRedis } from './redis.ts'
import { machineOf } from './site-machine.ts'
import { writeCertificate } from './test-certificate.ts'
import { waitFor } from './wait-for.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PASSWORD = 'a password of the tests'
type Environment = Record<string, string>

export interface Program {
  readonly url: string
  readonly healthUrl: string
  process: OwnProcess
}
export interface WorldNode {
  readonly agent: AgentUnderTest
  readonly data: string
  readonly serverId: string
  readonly identifier: string
}
export interface World {
  /** The address that customers use: it leads to a running site. */
  readonly url: string
  readonly sites: readonly Program[]
  readonly planes: readonly Program[]
  readonly nodes: readonly WorldNode[]
  readonly owner: Database
  /** Takes the mails of both control planes. */
  readonly smtp: SmtpEmulator
  readonly credentials: (username: 'admin' | 'customer') => { username: string; password: string }
  /** Restarts a killed program at its old address. */
  revive(program: Program): Promise<void>
  /** Does the same as `npm run keys -- rotate` in production. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

const bundle = (name: string, env: Environment, folder = ROOT): OwnProcess =>
  startOwnProcess({
    command: process.execPath,
    args: ['--conditions=production', '--enable-source-maps', path.join(ROOT, `dist/${name}.mjs`)],
    cwd: folder,
    env: { NODE_ENV: 'production', BAKTER_MODE: 'demo', HOST: '127.0.0.1', ...env },
  })

const step = async (name: string, env: Environment): Promise<void> => {
  const program = bundle(name, env)
  const { code } = await program.ended
  if (code !== 0) throw new Error(`${name} failed:\n${program.output()}`)
}

const isReady = async ({ process: program, healthUrl }: Program): Promise<boolean> => {
  program.mustRun()
  return (await fetch(`${healthUrl}/health/ready`, { signal: AbortSignal.timeout(10_000) })).ok
}

const proxyTo = async (urls: readonly string[], takesTurns: boolean): Promise<{ proxy: FaultProxy; url: string }> => {
  const proxy = new FaultProxy(...urls.map((url) => Number(new URL(url).port)))
  proxy.takesTurns = takesTurns
  return { proxy, url: await proxy.open() }
}

class Builder {
  readonly #scratch = scratchFolder()
  readonly #proxies: FaultProxy[] = []
  readonly sites: Program[] = []
  readonly planes: Program[] = []
  readonly nodes: WorldNode[] = []
  readonly #starts = new Map<Program, () => OwnProcess>()
  #database: TestDatabase | undefined
  #redis: TestRedis | undefined
  smtp: SmtpEmulator | undefined
  owner: Database | undefined
  url = ''
  #agents = ''
  #common: Environment = {}

  async #proxy(urls: readonly string[], takesTurns = true): Promise<string> {
    const { proxy, url } = await proxyTo(urls, takesTurns)
    this.#proxies.push(proxy)
    return url
  }

  async stores(): Promise<void> {
    chmodSync(this.#scratch.path, 0o755)
    const [database, redis] = await Promise.all([createDatabase(), startTestRedis()])
    this.#database = database
    this.#redis = redis
    this.owner = openPostgres({ url: database.url, applicationName: 'test', maxConnections: 4, waitMs: 60_000 })
    this.smtp = await this.#mailServer()
    this.#common = {
      DATABASE_URL: database.url,
      INTERNAL_SECRET: 'i'.repeat(48),
      PAYLOAD_SECRET: 'p'.repeat(48),
      SECRETS_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
      MEDIA_DIR: path.join(this.#scratch.path, 'media'),
    }
    await step('migrate', { ...this.#common, REDIS_URL: redis.url })
    const password = {
      DEMO_ADMIN_PASSWORD: PASSWORD,
      DEMO_SUPPORT_PASSWORD: PASSWORD,
      DEMO_CUSTOMER_PASSWORD: PASSWORD,
    }
    await step('seed', {
      ...this.#common,
      ...password,
      BAKTER_DATA: this.#scratch.path,
      AGENT_PUBLIC_URL: 'http://127.0.0.1:18000',
      GAME_PORTS: '25000-25099',
    })
  }

  async #mailServer(): Promise<SmtpEmulator> {
    const folder = path.join(this.#scratch.path, 'mail-server')
    mkdirSync(folder)
    const { key, certificate } = writeCertificate(folder, { name: 'localhost', days: 2 })
    const smtp = await startSmtp({ tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') } })
    // On one's own machine mail goes without encryption.
    smtp.set('no encryption')
    return smtp
  }

  async programs(): Promise<void> {
    const ports = await freePorts(8)
    const at = (index: number) => `http://127.0.0.1:${ports[index] ?? 0}`
    const sites = [0, 1].map((index) => ({ url: at(4 * index), healthUrl: at(4 * index + 1) }))
    const planes = [0, 1].map((index) => ({ url: at(4 * index + 2), healthUrl: at(4 * index + 3) }))
    this.url = await this.#proxy(sites.map(({ url }) => url))
    this.#agents = await this.#proxy(planes.map(({ url }) => url))
    const keys = await this.#proxy(sites.map(({ healthUrl }) => healthUrl))
    for (const [index, plane] of planes.entries()) {
      const env = {
        ...this.#common,
        REDIS_URL: this.#redis?.url ?? '',
        SMTP_URL: `smtp://127.0.0.1:${this.smtp?.port ?? 0}`,
        SITE_URL: this.url,
        SITE_INTERNAL_URL: keys,
        CONTROL_PLANE_PORT: new URL(plane.url).port,
        CONTROL_PLANE_INTERNAL_PORT: new URL(plane.healthUrl).port,
        CONTROL_PLANE_PUBLIC_URL: plane.url,
        CONTROL_PLANE_SECRET: 'c'.repeat(48),
      }
      this.#add(this.planes, plane, () => bundle('control-plane', env))
      // Each site uses its own control plane, and the other one when that is down.
      const first = <T>(list: readonly T[]): readonly T[] => (index === 0 ? list : [...list].reverse())
      const internal = first(planes).map(({ healthUrl }) => healthUrl)
      const site = sites[index] ?? { url: '', healthUrl: '' }
      const siteEnv = {
        ...this.#common,
        SITE_URL: this.url,
        CONTROL_PLANE_URL: await this.#proxy(internal, false),
        GATEWAY_URL: await this.#proxy(
          first(planes).map(({ url }) => url),
          false,
        ),
        PORT: new URL(site.url).port,
        SITE_HEALTH_PORT: new URL(site.healthUrl).port,
      }
      const machine = machineOf(path.join(this.#scratch.path, `site-${index}`))
      this.#add(this.sites, site, () => bundle('site', siteEnv, machine))
    }
    const all = [...this.planes, ...this.sites]
    await waitFor('the programs', async () => (await Promise.all(all.map(isReady))).every(Boolean), 240_000)
  }

  #add(list: Program[], address: { url: string; healthUrl: string }, start: () => OwnProcess): void {
    const program: Program = { ...address, process: start() }
    this.#starts.set(program, start)
    list.push(program)
  }

  rotateKeys(): Promise<void> {
    return step('keys', {
      ...this.#common,
      SITE_URL: this.url,
      CONTROL_PLANE_URL: this.#agents,
      GATEWAY_URL: this.#agents,
    })
  }

  async revive(program: Program): Promise<void> {
    const start = this.#starts.get(program)
    if (start === undefined || program.process.isRunning()) throw new Error('It was not killed.')
    program.process = start()
    await waitFor('the program', () => isReady(program), 120_000)
  }

  /** Two nodes, each with a stopped server of the customer. The first session goes to the second control plane. */
  async fleet(agentBundle: string): Promise<void> {
    const owner = this.owner
    if (owner === undefined) throw new Error('There is no database.')
    const people = await owner.query<{ id: string; username: string }>('select id, username from public.users')
    const idOf = (username: string) => people.find((person) => person.username === username)?.id ?? ''
    await owner.query(
      `insert into public.computers (id, name, ip, url, available_memory_mi_b, storage_mi_b, cores, start_port, port_count, orderable)
       select gen_random_uuid(), 'demo-2', ip, 'http://127.0.0.1:18001', 16384, 100000, 8, 26000, 100, orderable from public.computers`,
    )
    const computers = await owner.query<{ id: string }>('select id from public.computers order by name')
    for (const [index, { id: computerId }] of computers.entries()) {
      const caller = {
        userId: idOf('admin'),
        sessionId: null,
        locale: 'en',
        address: '127.0.0.1',
        isAdmin: true,
        isSupport: false,
        isVerified: true,
      }
      const answer = await fetch(`${this.planes[index]?.healthUrl}/internal/enrolment-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-secret': this.#common['INTERNAL_SECRET'] ?? '' },
        body: JSON.stringify({ caller, computerId }),
      })
      const { token } = (await answer.json()) as { token: string }
      await this.#node(agentBundle, { index, computerId, token, ownerId: idOf('customer') })
    }
  }

  async #node(
    agentBundle: string,
    at: { index: number; computerId: string; token: string; ownerId: string },
  ): Promise<void> {
    const data = path.join(this.#scratch.path, `agent-${at.index}`)
    const agent = await startAgent({
      bundle: agentBundle,
      data,
      controlPlaneUrl: this.#agents,
      env: {
        AGENT_STOP_SERVERS_ON_EXIT: '1',
        AGENT_ENROLMENT_TOKEN: at.token,
        AGENT_UID_BASE: String(ownUsers() + 1_000 + 100 * at.index),
      },
    })
    await agent.ready()
    const owner = this.owner as Database
    const [node] = await owner.query<{ id: string }>('select id from control.nodes where computer_id = $1', [
      at.computerId,
    ])
    const {
      identifier,
      id: _id,
      generation: _generation,
      ...spec
    } = buildServerSpec({
      identifier: at.index === 0 ? 'acdefghj' : 'acdefghk',
      environment: { GAME_PORT: '0' },
    })
    const options = { ownerId: at.ownerId, power: 'stopped', spec: { ...spec, identifier } } as const
    const { id: serverId } = await addServer(owner, node?.id ?? systemIds.next(), options)
    this.nodes.push({ agent, data, serverId, identifier })
  }

  async close(): Promise<void> {
    for (const { agent } of this.nodes) await agent.process.stop(20_000)
    for (const proxy of this.#proxies) await proxy.close()
    await Promise.all([...this.sites, ...this.planes].map((program) => program.process.stop(35_000)))
    await this.smtp?.close()
    await this.owner?.close()
    await this.#redis?.stop()
    await this.#database?.drop()
    this.#scratch.remove()
  }
}

/** Two sites, two control planes and two agents, from their bundles, on one PostgreSQL and one Redis. */
export const startTwoOfEverything = async (agentBundle: string): Promise<World> => {
  const builder = new Builder()
  try {
    await builder.stores()
    await builder.programs()
    await builder.fleet(agentBundle)
  } catch (error) {
    await builder.close()
    throw error
  }
  return {
    url: builder.url,
    sites: builder.sites,
    planes: builder.planes,
    nodes: builder.nodes,
    owner: builder.owner as Database,
    smtp: builder.smtp as SmtpEmulator,
    credentials: (username) => ({ username, password: PASSWORD }),
    revive: (program) => builder.revive(program),
    rotateKeys: () => builder.rotateKeys(),
    close: () => builder.close(),
  }
}

/** How often the server's program actually began. */
export const startsOf = ({ data, identifier }: WorldNode): number => {
  const file = path.join(data, 'servers', identifier, 'root/starts.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
