import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { Balance, TopupAnswer } from '../../src/contracts/http/balance.ts'
import { OrderAnswer } from '../../src/contracts/http/order.ts'
import { Service } from '../../src/contracts/http/service.ts'
import type { DemoFile } from '../support/demo.ts'
import { paySandbox } from '../support/sandbox-payment.ts'
import { largestPaintMs } from './lighthouse.ts'
import { median, type Figure, type Section } from './report.ts'

const ROUNDS = 3
const GOAL_MS = 2_000
const TOPUP_FT = 5_000
const PATIENCE_MS = 30_000

/** A customer's session, as a browser has it. */
class Customer {
  readonly #url: string
  #cookie = ''

  constructor(url: string) {
    this.#url = url
  }

  get cookie(): string {
    return this.#cookie
  }

  async call(path: string, body?: object): Promise<unknown> {
    const answer = await fetch(new URL(path, this.#url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        origin: this.#url,
        cookie: this.#cookie,
        'idempotency-key': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    if (cookies.length > 0) this.#cookie = cookies.join('; ')
    return answer.json()
  }

  async balanceFt(): Promise<number> {
    return Balance.parse(await this.call('/api/balance')).balanceFt
  }
}

async function topUp(customer: Customer): Promise<void> {
  const wantedFt = (await customer.balanceFt()) + TOPUP_FT
  const asked = await customer.call('/api/balance/topup', { amount: TOPUP_FT, method: 'sandbox', acceptTerms: true })
  const { redirectUrl } = TopupAnswer.parse(asked)
  await paySandbox(redirectUrl)
  const endsAt = performance.now() + PATIENCE_MS
  while ((await customer.balanceFt()) < wantedFt) {
    if (performance.now() > endsAt) throw new Error('The top-up has not arrived.')
    await pause(100)
  }
}

/** A customer with money and a server, whose screens are full. */
async function customerWithServer(demo: DemoFile): Promise<{ customer: Customer; serverId: string }> {
  const customer = new Customer(demo.url)
  await customer.call('/api/auth/login', demo.customer)
  await topUp(customer)
  const services = z.array(Service).parse(await customer.call('/api/services'))
  const bot = services.find(({ slug }) => slug === 'bot')
  const order = { serviceId: bot?.id, packageId: bot?.packages[0]?.id, months: 1, name: 'Watchman' }
  return { customer, serverId: OrderAnswer.parse(await customer.call('/api/orders', order)).server.id }
}

/** When the largest part of each screen of a customer is painted on a phone, at its first load. */
export async function benchPhone(demo: DemoFile): Promise<Section> {
  const { customer, serverId } = await customerWithServer(demo)
  const screens: readonly (readonly [what: string, path: string])[] = [
    ['summary', '/dashboard/summary'],
    ['balance', '/dashboard/balance/summary'],
    ['settings', '/dashboard/settings'],
    ['spin', '/dashboard/spin'],
    ['console', `/panel/${serverId}/console`],
  ]
  const figures: Figure[] = []
  for (const [what, path] of screens) {
    const paints: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      paints.push(await largestPaintMs(`${demo.url}/hu${path}`, customer.cookie))
    }
    figures.push({ what, value: median(paints), unit: 'ms', note: `goal ${GOAL_MS} ms` })
  }
  return {
    title: 'Largest contentful paint on a phone',
    method: `Median of ${ROUNDS} runs with Lighthouse's phone: slow 4G, a processor four times as slow, an empty cache; the browser itself is slowed down.`,
    figures,
  }
}
