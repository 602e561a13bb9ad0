import autocannon from 'autocannon'
import type { DemoFile } from '../support/demo.ts'
import { median, type Section } from './report.ts'

const CONNECTIONS = 20
const SECONDS = 6
const ROUNDS = 3

type Load = { url: string; headers?: Record<string, string> }

async function requestsPerSecond({ url, headers = {} }: Load): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  const refused = result.non2xx + result.errors
  if (refused > 0) throw new Error(`${url}: ${refused} of ${result.requests.total} requests failed`)
  return result.requests.average
}

async function signIn(demo: DemoFile): Promise<string> {
  const answer = await fetch(`${demo.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: demo.url },
    body: JSON.stringify(demo.customer),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`The demo customer cannot sign in: ${answer.status}`)
  return token
}

/** Requests a second of the pages and calls that people ask for most, in turns so that all see the same machine. */
export async function benchHttp(demo: DemoFile): Promise<Section> {
  const authorization = `Bearer ${await signIn(demo)}`
  const loads: Record<'empty' | 'prefixed' | 'negotiated' | 'me' | 'payload', Load> = {
    empty: { url: `${demo.url}/hu/test` },
    prefixed: { url: `${demo.url}/hu` },
    negotiated: { url: `${demo.url}/`, headers: { 'accept-language': 'hu' } },
    me: { url: `${demo.url}/api/user/me`, headers: { authorization } },
    payload: { url: `${demo.url}/api/cms/users/me`, headers: { authorization } },
  }
  const names = Object.keys(loads) as (keyof typeof loads)[]
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof typeof loads, number[]>
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) rates[name].push(await requestsPerSecond(loads[name]))
  }
  const of = (name: keyof typeof loads) => median(rates[name])
  const empty = { what: 'empty page of the same build', value: of('empty') }
  return {
    title: 'Requests a second',
    method: `${CONNECTIONS} connections, ${SECONDS} s, median of ${ROUNDS} rounds, load generator on the same two cores.`,
    figures: [
      { what: 'landing page, prefixed', value: of('prefixed'), unit: '/s', against: empty },
      { what: 'landing page, negotiated', value: of('negotiated'), unit: '/s', against: empty },
      {
        what: 'GET /api/user/me',
        value: of('me'),
        unit: '/s',
        against: { what: 'GET /api/cms/users/me of Payload', value: of('payload') },
      },
    ],
  }
}
