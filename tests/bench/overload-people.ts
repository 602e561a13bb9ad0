import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { TopupAnswer } from '../../src/contracts/http/balance.ts'
import { Service } from '../../src/contracts/http/service.ts'
import { mailedCode } from '../support/demo-mail.ts'
import type { DemoFile } from '../support/demo.ts'
import { paySandbox } from '../support/sandbox-payment.ts'

const PASSWORD = 'a password of the benchmark'
const TOPUP_FT = 3_000
/** How many sign up at the same moment. */
const AT_ONCE = 4

/** Addresses that nobody has (RFC 2544), so that no limit by address is met. */
const address = (at: number): string => `198.19.${Math.floor(at / 250) % 250}.${(at % 250) + 1}`
let asked = 0

export type Kind = 'sign-in' | 'top-up' | 'order' | 'console'
/** One action of somebody: how long it took, and the statuses of its requests. */
export type Action = { readonly kind: Kind; readonly ms: number; readonly statuses: readonly number[] }
export type Person = { readonly username: string; readonly token: string }
type Answer = { readonly status: number; readonly text: string }

async function post(demo: DemoFile, path: string, { body, token }: { body: object; token?: string }): Promise<Answer> {
  asked += 1
  const answer = await fetch(new URL(path, demo.url), {
    method: 'POST',
    headers: {
      origin: demo.url,
      'x-forwarded-for': address(asked),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

const expectOk = ({ status, text }: Answer): string => {
  if (status >= 300) throw new Error(`A request of the preparation was answered with ${status}: ${text}`)
  return text
}

const signedIn = async (demo: DemoFile, username: string): Promise<Person> => {
  const answer = await post(demo, '/api/auth/login', { body: { username, password: PASSWORD } })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(JSON.parse(expectOk(answer)))
  return { username, token }
}

async function newPerson(demo: DemoFile): Promise<Person> {
  const username = `o-${randomUUID().slice(0, 12)}`
  const names = { username, email: `${username}@example.com`, acceptTerms: true }
  const passwords = { password: PASSWORD, passwordConfirm: PASSWORD }
  expectOk(await post(demo, '/api/auth/register', { body: { ...names, ...passwords } }))
  return signedIn(demo, username)
}

/** So many people with an account, each signed in. */
export async function newPeople(demo: DemoFile, count: number): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count)
    people.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => newPerson(demo)))))
  return people.slice(0, count)
}

/** Confirms the address, without which nobody pays or orders. */
export async function confirm(demo: DemoFile, { username, token }: Person): Promise<void> {
  const read = async (path: string) => (await fetch(new URL(path, demo.url))).text()
  const code = await mailedCode(read, `${username}@example.com`)
  expectOk(await post(demo, '/api/auth/verify', { body: { code }, token }))
}

const timed = async (kind: Kind, work: () => Promise<readonly number[]>): Promise<Action> => {
  const beganAt = performance.now()
  const statuses = await work()
  return { kind, ms: performance.now() - beganAt, statuses }
}

export const signInAgain = (demo: DemoFile, { username }: Person): Promise<Action> =>
  timed('sign-in', async () => {
    const { status } = await post(demo, '/api/auth/login', { body: { username, password: PASSWORD } })
    return [status]
  })

/** Opens a top-up, and pays it on the sandbox's page. */
export const topUp = (demo: DemoFile, { token }: Person): Promise<Action> =>
  timed('top-up', async () => {
    const body = { amount: TOPUP_FT, method: 'sandbox', acceptTerms: true }
    const opened = await post(demo, '/api/balance/topup', { body, token })
    if (opened.status >= 300) return [opened.status]
    const { redirectUrl } = TopupAnswer.parse(JSON.parse(opened.text))
    return [opened.status, await paySandbox(redirectUrl)]
  })

export async function packageToOrder(demo: DemoFile): Promise<{ serviceId: string; packageId: string }> {
  const services = z.array(Service).parse(await (await fetch(new URL('/api/services', demo.url))).json())
  const bot = services.find(({ slug }) => slug === 'bot')
  const packageId = bot?.packages[0]?.id
  if (bot === undefined || packageId === undefined) throw new Error('The demo sells no bot.')
  return { serviceId: bot.id, packageId }
}

export const order = (
  demo: DemoFile,
  { token }: Person,
  wished: { serviceId: string; packageId: string },
): Promise<Action> =>
  timed('order', async () => {
    const { status } = await post(demo, '/api/orders', { body: { ...wished, months: 1, name: 'Watchman' }, token })
    return [status]
  })
