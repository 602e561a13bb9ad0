import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { TopupAnswer } from '../../src/contracts/http/balance.ts'
import { OrderAnswer } from '../../src/contracts/http/order.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { Service } from '../../src/contracts/http/service.ts'
import { mailedCode } from '../support/demo-mail.ts'
import type { Demo, DemoFile } from '../support/demo.ts'
import { joinMinecraft } from '../support/minecraft-player.ts'
import { paySandbox } from '../support/sandbox-payment.ts'
import { median, type Figure, type Section } from './report.ts'

const ROUNDS = 5
const LOOK_EVERY_MS = 150
const PATIENCE_MS = 300_000
const PASSWORD = 'a password of the benchmark'

/** A person who has never been here, with curl's means. */
class Stranger {
  readonly #url: string
  readonly name = `s-${randomUUID().slice(0, 12)}`
  #token = ''

  constructor(url: string) {
    this.#url = url
  }

  async read(path: string): Promise<string> {
    const headers = this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }
    const answer = await fetch(new URL(path, this.#url), { headers })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return answer.text()
  }

  async post(path: string, body: object): Promise<unknown> {
    const answer = await fetch(new URL(path, this.#url), {
      method: 'POST',
      headers: {
        origin: this.#url,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  async register(): Promise<void> {
    const email = `${this.name}@example.com`
    const passwords = { password: PASSWORD, passwordConfirm: PASSWORD }
    await this.post('/api/auth/register', { username: this.name, email, acceptTerms: true, ...passwords })
    const login = await this.post('/api/auth/login', { username: this.name, password: PASSWORD })
    this.#token = z.object({ access_token: z.string() }).parse(login).access_token
    await this.post('/api/auth/verify', { code: await mailedCode((path) => this.read(path), email) })
  }

  async topUp(amount: number): Promise<void> {
    const asked = await this.post('/api/balance/topup', { amount, method: 'sandbox', acceptTerms: true })
    const { redirectUrl } = TopupAnswer.parse(asked)
    await paySandbox(redirectUrl)
    await this.until('the top-up', async () => (await this.read('/api/balance')).includes(`"balanceFt":${amount}`))
  }

  async until(what: string, isReached: () => Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS
    while (!(await isReached())) {
      if (performance.now() > endsAt) throw new Error(`Waited in vain for ${what}.`)
      await pause(LOOK_EVERY_MS)
    }
  }
}

type Times = {
  readonly orderedMs: number
  readonly installedMs: number
  readonly runningMs: number
  readonly joinedMs: number
}

/** From the landing page to a player in the world. The milliseconds are counted from the first request. */
async function once({ url }: DemoFile): Promise<Times> {
  const beganAt = performance.now()
  const since = () => performance.now() - beganAt
  const stranger = new Stranger(url)
  await stranger.read('/en')
  await stranger.register()
  const services = z.array(Service).parse(JSON.parse(await stranger.read('/api/services')))
  const service = services.find(({ slug }) => slug === 'minecraft')
  const [chosen] = service?.packages ?? []
  if (service === undefined || chosen === undefined) throw new Error('The demo sells no Minecraft.')
  await stranger.topUp(1_000)
  const wish = { serviceId: service.id, packageId: chosen.id, months: 1, name: 'First world' }
  const { server } = OrderAnswer.parse(await stranger.post('/api/orders', wish))
  const orderedMs = since()
  const look = async () => Server.parse(JSON.parse(await stranger.read(`/api/server/${server.id}`)))
  let seen = await look()
  await stranger.until('the installation', async () => (seen = await look()).status !== 'installing')
  const installedMs = since()
  // It starts by itself.
  await stranger.until('the start', async () => (seen = await look()).status === 'running')
  const runningMs = since()
  if (seen.port === null) throw new Error('The server has no port.')
  const player = await joinMinecraft(seen.port, 'Stranger', { host: seen.ip })
  const joinedMs = since()
  player.leave()
  await stranger.post(`/api/server/${server.id}/power`, { action: 'kill' })
  return { orderedMs, installedMs, runningMs, joinedMs }
}

/** Forgets every package, as on a node that has installed nothing yet. */
async function emptyCache(dataDir: string): Promise<void> {
  for (const store of ['content', 'packuments', 'trees']) {
    const folder = join(dataDir, 'agent/npm', store)
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** A scripted stranger over HTTP alone, then a real Minecraft client: how long they need for the first join. */
export async function benchFirstJoin({ file, dataDir }: Demo): Promise<Section> {
  const measure = async (prepare: () => Promise<void>): Promise<Times[]> => {
    const rounds: Times[] = []
    while (rounds.length < ROUNDS) {
      await prepare()
      rounds.push(await once(file))
    }
    return rounds
  }
  const figures = (what: string, goalMs: number, rounds: readonly Times[]): Figure[] => {
    const of = (key: keyof Times) => median(rounds.map((times) => times[key]))
    const steps = `ordered after ${of('orderedMs').toFixed(0)} ms, installed after ${of('installedMs').toFixed(0)} ms, running after ${of('runningMs').toFixed(0)} ms`
    return [{ what, value: of('joinedMs'), unit: 'ms', note: steps, against: { what: 'goal', value: goalMs } }]
  }
  const empty = await measure(() => emptyCache(dataDir))
  const filled = await measure(async () => {})
  return {
    title: 'From the landing page to the game',
    method:
      `Median of ${ROUNDS}: a stranger registers, confirms the address, tops up, orders Minecraft and looks every ${LOOK_EVERY_MS} ms until it runs; ` +
      'then a Minecraft client joins the world. The empty cache fetches all packages from the registry.',
    figures: [
      ...figures('with an empty package cache', 8_000, empty),
      ...figures('with a filled package cache', 4_000, filled),
    ],
  }
}
