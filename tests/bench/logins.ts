import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { DemoFile } from '../support/demo.ts'
import { percentile, type Section } from './report.ts'

const LOGINS = 200
const ROUNDS = 3
/** Other requests in a second, begun whether the ones before have been answered or not. */
const OTHERS_A_SECOND = 20
const QUIET_SECONDS = 15
/** The first requests compile code and fill caches, so they are not measured. */
const WARM_SECONDS = 5
const PASSWORD = 'a password of the benchmark'

/** One person for each login, and one address for each: no limit but that of the hashes is met. */
type Person = { readonly username: string; readonly address: string }

const address = (at: number): string => `198.18.${Math.floor(at / 250)}.${(at % 250) + 1}`

type Sent = { address: string; body?: unknown; token?: string }
type Answer = { readonly status: number; readonly retryAfter: number; readonly text: string }

/** Each request has a connection of its own, as each of so many browsers has. */
const send = (demo: DemoFile, path: string, { address: from, body, token }: Sent): Promise<Answer> =>
  new Promise((done, fail) => {
    const sent = request(
      new URL(path, demo.url),
      {
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          origin: demo.url,
          'x-forwarded-for': from,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer
          .once('error', fail)
          .once('end', () =>
            done({ status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after']), text }),
          )
      },
    )
    sent.once('error', fail).end(body === undefined ? '' : JSON.stringify(body))
  })

async function registerAll(demo: DemoFile): Promise<Person[]> {
  const people = Array.from({ length: LOGINS }, (_, at) => ({
    username: `b${at}-${randomUUID().slice(0, 8)}`,
    address: address(at),
  }))
  for (const { username, address: from } of people) {
    const email = `${username}@example.com`
    const body = { username, email, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
    const answer = await send(demo, '/api/auth/register', { address: from, body })
    if (answer.status !== 201) throw new Error(`A registration was answered with ${answer.status}.`)
  }
  return people
}

type SignedIn = { readonly token: string; readonly ms: number; readonly refusals: number }

/** Signs in as a browser does that is told to wait: it waits, and tries again. */
async function signIn(demo: DemoFile, { username, address: from }: Person): Promise<SignedIn> {
  const beganAt = performance.now()
  for (let refusals = 0; ; refusals += 1) {
    const answer = await send(demo, '/api/auth/login', { address: from, body: { username, password: PASSWORD } })
    const { access_token: token } = JSON.parse(answer.text) as { access_token?: string }
    if (token !== undefined) return { token, ms: performance.now() - beganAt, refusals }
    if (!(answer.retryAfter > 0)) throw new Error(`A login was answered with ${answer.status}.`)
    await new Promise((resolve) => setTimeout(resolve, answer.retryAfter * 1_000))
  }
}

/** Asks for pages and calls in turn until it is told to stop. Resolves with the milliseconds of each answer. */
function askMeanwhile(demo: DemoFile, token: string): { stop(): Promise<number[]> } {
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let asked = 0
  const one = async (): Promise<void> => {
    asked += 1
    const isCall = asked % 2 === 0
    const beganAt = performance.now()
    const from = address(LOGINS + (asked % 40))
    const answer = await send(demo, isCall ? '/api/user/me' : '/hu', { address: from, ...(isCall ? { token } : {}) })
    if (answer.status !== 200) throw new Error(`Another request was answered with ${answer.status}.`)
    times.push(performance.now() - beganAt)
  }
  const timer = setInterval(() => {
    const asking = one().finally(() => open.delete(asking))
    open.add(asking)
  }, 1_000 / OTHERS_A_SECOND)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
      return times
    },
  }
}

/** How long other requests take while 200 people sign in at the same moment, beside how long they take without them. */
export async function benchLogins(demo: DemoFile): Promise<Section> {
  const people = await registerAll(demo)
  const [first] = people
  if (first === undefined) throw new Error('Nobody signs in.')
  const { token } = await signIn(demo, first)
  const warming = askMeanwhile(demo, token)
  await new Promise((resolve) => setTimeout(resolve, WARM_SECONDS * 1_000))
  await warming.stop()
  const quiet = askMeanwhile(demo, token)
  await new Promise((resolve) => setTimeout(resolve, QUIET_SECONDS * 1_000))
  const without = await quiet.stop()
  const during: number[] = []
  const logins: SignedIn[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const meanwhile = askMeanwhile(demo, token)
    logins.push(...(await Promise.all(people.map((person) => signIn(demo, person)))))
    during.push(...(await meanwhile.stop()))
  }
  const beside = { what: 'without logins', value: percentile(without, 0.99) }
  const waited = logins.filter(({ refusals }) => refusals > 0).length
  return {
    title: '200 logins at once',
    method:
      `${LOGINS} accounts sign in at the same moment, ${ROUNDS} times, each from an address of its own; who is told to wait does. ` +
      `Meanwhile ${OTHERS_A_SECOND} other requests a second: the landing page and GET /api/user/me. The load generator shares the cores; the first ${WARM_SECONDS} s are not counted.`,
    figures: [
      {
        what: 'other requests, 99th percentile',
        value: percentile(during, 0.99),
        unit: 'ms',
        against: beside,
        note: `${during.length} requests; goal 250 ms`,
      },
      {
        what: 'other requests, median',
        value: percentile(during, 0.5),
        unit: 'ms',
        against: { what: 'without logins', value: percentile(without, 0.5) },
      },
      {
        what: 'login, median',
        value: percentile(
          logins.map(({ ms }) => ms),
          0.5,
        ),
        unit: 'ms',
      },
      {
        what: 'login, 99th percentile',
        value: percentile(
          logins.map(({ ms }) => ms),
          0.99,
        ),
        unit: 'ms',
      },
      { what: 'logins that were told to wait', value: (100 * waited) / logins.length, unit: '%' },
    ],
  }
}
