import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TokenAnswer } from '../../../src/contracts/http/auth.ts'
import { FactorOnAnswer, TotpSetup } from '../../../src/contracts/http/second-factor.ts'
import { startProduction, type Answer, type Production } from '../../support/production.ts'
import { createStrangers, type Strangers } from '../../support/strangers.ts'
import type { Call } from '../../support/stranger-program.ts'
import { codeAt } from '../../support/totp-code.ts'
import { waitFor } from '../../support/wait-for.ts'

const PASSWORD = 'a long enough password'
/** As many addresses as a small botnet in the trial of the product. */
const ADDRESSES = 50

let production: Production
let hostile: Strangers
let db: pg.Client

beforeAll(async () => {
  production = await startProduction()
  hostile = createStrangers(ADDRESSES)
  db = new pg.Client({ connectionString: production.databaseUrl })
  await db.connect()
  for (const username of ['anna', 'bela', 'cili', 'dora']) await register(username)
})
afterAll(async () => {
  await db.end()
  hostile.remove()
  await production.stop()
})
beforeEach(() => db.query('truncate identity.limit_buckets'))

const register = async (username: string): Promise<void> => {
  const person = { username, email: `${username}@example.test`, password: PASSWORD, passwordConfirm: PASSWORD }
  const { status } = await production.request('POST', '/api/auth/register', { body: { ...person, acceptTerms: true } })
  expect(status).toBeLessThan(300)
}

const place = () => {
  const { host, port } = new URL(production.url)
  return { port: Number(port), serverName: 'localhost', authority: host }
}
const posted = (path: string, body: object, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  path,
  headers: { origin: production.url, ...headers },
  body: JSON.stringify(body),
})
const guess = (username: string) => posted('/api/auth/login', { username, password: 'a wrong password' })
/** Signs in from this machine's own address, which takes part in no attack; resolves with the statuses. */
const signInHonestly = async (username: string, times = 1): Promise<number[]> => {
  const statuses: number[] = []
  for (let at = 0; at < times; at += 1) {
    const body = { username, password: PASSWORD }
    statuses.push((await production.request('POST', '/api/auth/login', { body })).status)
  }
  return statuses
}
const [oneAddress, twenty] = [(all: readonly string[]) => all.slice(0, 1), (all: readonly string[]) => all.slice(0, 20)]

test('while 400 half bodies from twenty addresses are open, another address signs in (S1)', async () => {
  const paths = ['/api/auth/login', '/api/auth/register']
  const flood = hostile.attack(
    { ...place(), addresses: twenty(hostile.addresses) },
    { kind: 'half-bodies', each: 20, paths, origin: production.url },
  )
  await flood.begun()
  expect(await signInHonestly('anna')).toEqual([200])
  await flood.end()
})

test('a flood of guesses from one address: another address signs in, and 20 of them are checked (S1)', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `nobody${at}`)
  const flood = hostile.attack(
    { ...place(), addresses: oneAddress(hostile.addresses) },
    { kind: 'calls', each: 60, atOnce: 60, calls: names.map(guess) },
  )
  await flood.begun()
  expect([await signInHonestly('anna'), flood.isOver()]).toEqual([[200], false])
  const { statuses, broken, silent503 } = await flood.outcome()
  expect([broken, silent503, statuses['401']]).toEqual([0, 0, 20])
  expect(Object.keys(statuses).every((status) => ['401', '429', '503'].includes(status))).toBe(true)
})

test('300 clients of twenty addresses read services and the landing page: sign-ins succeed, and no answer is 500 (S3)', async () => {
  const calls = ['/api/services', '/hu', '/en'].map((path) => ({ method: 'GET', path }))
  const crowd = hostile.attack(
    { ...place(), addresses: twenty(hostile.addresses) },
    { kind: 'calls', each: 300, atOnce: 15, calls },
  )
  await crowd.begun()
  expect([await signInHonestly('bela', 5), crowd.isOver()]).toEqual([[200, 200, 200, 200, 200], false])
  const { statuses, broken, silent503 } = await crowd.outcome()
  expect([broken, silent503]).toEqual([0, 0])
  expect(Object.keys(statuses).filter((status) => !['200', '429', '503'].includes(status))).toEqual([])
  expect(statuses['200'] ?? 0).toBeGreaterThan(0)
})

const cookiesOf = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ')

test('fifty addresses guess four times each at the codes of an account: seven are checked, and the owner signs in on a known device (S6)', async () => {
  const first = await production.request('POST', '/api/auth/login', { body: { username: 'cili', password: PASSWORD } })
  const { access_token: token } = TokenAnswer.parse(first.json())
  const headers = { authorization: `Bearer ${token}` }
  const setup = await production.request('POST', '/api/user/2fa/setup', { headers, body: { password: PASSWORD } })
  const { secret } = TotpSetup.parse(setup.json())
  const enable = { code: await codeAt(secret, Date.now()) }
  const on = await production.request('POST', '/api/user/2fa/enable', { headers, body: enable })
  expect(FactorOnAnswer.parse(on.json()).recoveryCodes).toHaveLength(10)
  const device = cookiesOf(first)
    .split('; ')
    .find((one) => one.includes('bakter_device'))

  const wrong = (await codeAt(secret, Date.now())) === '000000' ? '000001' : '000000'
  const withCode = posted('/api/auth/login', { username: 'cili', password: PASSWORD, code: wrong })
  const flood = hostile.attack(place(), { kind: 'calls', each: 4, atOnce: 1, calls: [withCode] })
  const { codes, statuses, broken, silent503 } = await flood.outcome()
  expect([broken, silent503, codes['INVALID_CODE'], statuses['401']]).toEqual([0, 0, 7, 7])
  // Beyond its places in the line, the account's guesses are told to come back.
  expect((statuses['429'] ?? 0) + (statuses['503'] ?? 0)).toBe(4 * ADDRESSES - 7)

  const owner = await waitFor('a code that was not used yet', async () => {
    const body = { username: 'cili', password: PASSWORD, code: await codeAt(secret, Date.now() + 30_000) }
    const answer = await production.request('POST', '/api/auth/login', { body, headers: { cookie: device ?? '' } })
    return answer.status === 200 ? answer : undefined
  })
  expect(TokenAnswer.parse(owner.json()).expires_in).toBeGreaterThan(0)
})

test('a device cookie that was planted before the sign-in is replaced by it (S10)', async () => {
  const planted = `__Host-bakter_device=${'p'.repeat(43)}`
  const body = { username: 'dora', password: PASSWORD }
  const answer = await production.request('POST', '/api/auth/login', { body, headers: { cookie: planted } })
  expect(answer.status).toBe(200)
  const device = cookiesOf(answer)
    .split('; ')
    .find((one) => one.startsWith('__Host-bakter_device='))
  expect(device).toMatch(/^__Host-bakter_device=\S{20,}$/)
  expect(device).not.toBe(planted)
})

test('fifty addresses ask for a reset of one mailbox: it gets three mails, and all get the same answer (S12)', async () => {
  await db.query('truncate identity.mailbox_mails')
  const ask = posted('/api/auth/passwordreset', { email: 'dora@example.test' })
  const flood = hostile.attack(place(), { kind: 'calls', each: 1, atOnce: 1, calls: [ask] })
  const { statuses, broken } = await flood.outcome()
  expect([broken, Object.values(statuses)]).toEqual([0, [ADDRESSES]])
  const left =
    'select (select count(*) from identity.reset_requests) + (select count(*) from identity.mail_outbox) as n'
  await waitFor('every request to be handled', async () => (await db.query<{ n: string }>(left)).rows[0]?.n === '0')
  const mails = await db.query(`select 1 from control.mails where kind = 'reset'`)
  expect(mails.rowCount).toBe(3)
})
