import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { programOf } from '../support/demo-processes.ts'
import type { Demo, DemoFile } from '../support/demo.ts'
import { residentMiB } from './memory.ts'
import { percentile, type Section } from './report.ts'

const CLIENTS = 300
const SECONDS = 30
const READ = ['/hu', '/hu/blog', '/api/services']
const SIGN_INS_A_SECOND = 4
const PEOPLE = 20
const PASSWORD = 'a password of the benchmark'
/** The first requests compile code and fill caches, so they are not measured. */
const WARM_SECONDS = 5

/** Addresses that nobody has (RFC 2544), so that no limit by address is met. */
const address = (at: number): string => `198.18.${Math.floor(at / 250) % 250}.${(at % 250) + 1}`
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let asked = 0
async function post(demo: DemoFile, path: string, body: object): Promise<number> {
  asked += 1
  const headers = { origin: demo.url, 'x-forwarded-for': address(CLIENTS + asked), 'content-type': 'application/json' }
  const answer = await fetch(new URL(path, demo.url), { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  return answer.status
}

async function registerAll(demo: DemoFile): Promise<string[]> {
  const people = Array.from({ length: PEOPLE }, (_, at) => `p${at}-${randomUUID().slice(0, 8)}`)
  for (const username of people) {
    const names = { username, email: `${username}@example.com`, acceptTerms: true }
    const status = await post(demo, '/api/auth/register', { ...names, password: PASSWORD, passwordConfirm: PASSWORD })
    if (status !== 201) throw new Error(`A registration was answered with ${status}.`)
  }
  return people
}

type SignIn = { readonly status: number; readonly ms: number }

/** Signs in so many times a second, each begun whether the ones before have been answered or not. */
async function signInFor(demo: DemoFile, people: readonly string[], seconds: number): Promise<SignIn[]> {
  const running: Promise<SignIn>[] = []
  const one = async (username: string): Promise<SignIn> => {
    const beganAt = performance.now()
    const status = await post(demo, '/api/auth/login', { username, password: PASSWORD })
    return { status, ms: performance.now() - beganAt }
  }
  for (let at = 0; at < seconds * SIGN_INS_A_SECOND; at += 1) {
    running.push(one(people[at % people.length] ?? ''))
    await pause(1_000 / SIGN_INS_A_SECOND)
  }
  return Promise.all(running)
}

const crowd = (demo: DemoFile, seconds: number) =>
  autocannon({
    url: demo.url,
    connections: CLIENTS,
    duration: seconds,
    // In a thread of its own: whoever measures the sign-ins does not wait for it.
    workers: 1,
    requests: Array.from({ length: CLIENTS }, (_, at) => ({
      path: READ[at % READ.length] ?? '/',
      headers: { 'x-forwarded-for': address(at), 'accept-encoding': 'br' },
    })),
  })

const p99 = (signIns: readonly SignIn[]): number =>
  percentile(
    signIns.map(({ ms }) => ms),
    0.99,
  )

/** How often each status came that is no success. */
const refusalsOf = (stats: Readonly<Record<string, { readonly count: number }>>): string =>
  Object.entries(stats)
    .filter(([status]) => Number(status) >= 300)
    .map(([status, { count }]) => `${status}: ${count}`)
    .join(', ')

/** How people sign in while a crowd reads, and what memory the site has afterwards. */
export async function benchCrowd({ file, dataDir }: Demo): Promise<Section> {
  const people = await registerAll(file)
  await signInFor(file, people, WARM_SECONDS)
  const site = programOf(dataDir, 'site')
  const quiet = await signInFor(file, people, SECONDS / 2)
  const before = residentMiB(site)
  const [read, signIns] = await Promise.all([crowd(file, SECONDS), signInFor(file, people, SECONDS)])
  const after = residentMiB(site)
  const failed = signIns.filter(({ status }) => status !== 200).length
  const perSecond = read.requests.total / read.duration
  return {
    title: 'A crowd that reads',
    method:
      `${CLIENTS} clients read ${READ.join(', ')} for ${SECONDS} s, each as soon as it is answered; meanwhile ${SIGN_INS_A_SECOND} sign-ins a second. ` +
      'The load generator shares the cores.',
    figures: [
      {
        what: "site's memory afterwards",
        value: after,
        unit: 'MiB',
        note: 'resident; goal 450 MB',
        against: { what: 'before', value: before },
      },
      {
        what: 'sign-in, 99th percentile',
        value: p99(signIns),
        unit: 'ms',
        note: `${signIns.length}; goal 500 ms`,
        against: { what: 'without the crowd', value: p99(quiet) },
      },
      { what: 'sign-ins that failed', value: failed, unit: '' },
      { what: 'answers to the crowd', value: perSecond, unit: '/s' },
      { what: 'answers of 500 and more', value: read['5xx'], unit: '', note: `${read.errors} connections failed` },
      { what: 'answers that were no success', value: read.non2xx, unit: '', note: refusalsOf(read.statusCodeStats) },
    ],
  }
}
