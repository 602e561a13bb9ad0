import autocannon from 'autocannon'
import type { Account, DemoFile } from '../support/demo.ts'
import { median, type Section } from './report.ts'

const CONNECTIONS = 20
const ROUNDS = 3

/** As many calls as one account or address may make at once: the table of limits holds in the benchmark too. */
const CALLS = 250

type Load = { url: string; headers: Record<string, string> }

async function requestsPerSecond({ url, headers }: Load): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, amount: CALLS })
  const refused = result.non2xx + result.errors
  if (refused > 0) throw new Error(`${url}: ${refused} of ${result.requests.total} requests failed`)
  return result.requests.total / result.duration
}

async function signIn(demo: DemoFile, account: Account): Promise<string> {
  const answer = await fetch(`${demo.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: demo.url },
    body: JSON.stringify(account),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`${account.username} cannot sign in: ${answer.status}`)
  return token
}

/** Requests a second of the call that each page makes first, in turns with Payload's so that both see the same machine. */
export async function benchHttp(demo: DemoFile): Promise<Section> {
  const accounts = [demo.customer, demo.support, demo.admin]
  const tokens = await Promise.all(accounts.map((account) => signIn(demo, account)))
  const call = (path: string, round: number): Load => {
    // Each round comes from an address of its own, of those that nobody has (RFC 5737).
    const headers = { authorization: `Bearer ${tokens[round] ?? ''}`, 'x-forwarded-for': `192.0.2.${round + 1}` }
    return { url: `${demo.url}${path}`, headers }
  }
  const loadsOf = (round: number): Record<'me' | 'payload', Load> => ({
    me: call('/api/user/me', round),
    payload: call('/api/cms/users/me', round),
  })
  type Name = keyof ReturnType<typeof loadsOf>
  const names = Object.keys(loadsOf(0)) as Name[]
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < ROUNDS; round += 1) {
    const loads = loadsOf(round)
    for (const name of names) rates[name].push(await requestsPerSecond(loads[name]))
  }
  const of = (name: Name) => median(rates[name])
  return {
    title: 'Requests a second',
    method: `${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${CALLS} calls an account. The load generator shares the cores.`,
    figures: [
      {
        what: 'GET /api/user/me',
        value: of('me'),
        unit: '/s',
        against: { what: 'GET /api/cms/users/me of Payload', value: of('payload') },
      },
    ],
  }
}
