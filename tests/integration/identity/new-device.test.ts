import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { login } from '../../../src/identity/sign-in/login.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { secretHash } from '../../../src/identity/context/secret-hash.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { openMailbox } from '../../support/site-mails.ts'

const password = 'correct horse battery'
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  Object.assign(site.context, { places: { of: (_: string, locale: string) => `Somewhere in ${locale}` } })
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets'))

let people = 0
const person = async () => {
  people += 1
  const names = { username: `traveller${people}`, email: `traveller${people}@example.test` }
  const origin = { address: `10.2.${people}.1`, userAgent: 'test' }
  const answer = await register(site.context, { ...names, password, language: 'de' }, origin)
  if (!answer.ok) throw new Error(answer.code)
  return names
}
const signIn = async (name: string, device: string | null, userAgent = 'Firefox on Linux') => {
  const answer = await login(site.context, { name, password, device }, { address: '203.0.113.7', userAgent })
  if (!answer.ok) throw new Error(answer.code)
  return answer.device
}

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('a person is notified once of each device after the first', async () => {
  const { username, email } = await person()
  const first = await signIn(username, null)
  await signIn(username, first)
  expect(await mails.all('new-device', email)).toEqual([])
  const second = await signIn(username, null, `${CHROME}\r\nBcc: eve@evil.example`)
  await signIn(username, second)
  expect(await mails.all('new-device', email)).toEqual([
    {
      username,
      address: '203.0.113.7',
      place: 'Somewhere in de',
      path: '/auth/passwordreset',
      device: 'Chrome, Linux',
      at: new Date(site.clock.now()).toISOString(),
      takesFactorsAway: false,
    },
  ])
})

const knows = async (device: string) =>
  (await site.context.db.query('select 1 from identity.known_devices where hash = $1', [secretHash(device)])).length

test('a planted secret never becomes a known device, and each sign-in replaces the secret (S10)', async () => {
  const [victim, attacker] = [await person(), await person()]
  const unknown = await signIn(victim.username, 'a secret that an attacker has put there')
  expect(await knows('a secret that an attacker has put there')).toBe(0)
  const planted = await signIn(attacker.username, null)
  const own = await signIn(victim.username, planted)
  expect([await knows(planted), await knows(own)]).toEqual([0, 2])
  const next = await signIn(victim.username, own)
  expect([await knows(own), await knows(next), await knows(unknown)]).toEqual([0, 2, 1])
})

test('two people who share a browser both keep it as a known device', async () => {
  const [one, other] = [await person(), await person()]
  const first = await signIn(one.username, null)
  const second = await signIn(other.username, first)
  const third = await signIn(one.username, second)
  await signIn(other.username, third)
  expect(await mails.all('new-device', one.email)).toEqual([])
  expect(await mails.all('new-device', other.email)).toEqual([])
})

test('a device is remembered from its first sign-in, and seen at its last one', async () => {
  const { username } = await person()
  const firstMs = site.clock.now()
  const device = await signIn(username, null)
  site.clock.advance(86_400_000)
  await signIn(username, device)
  const seen = await site.context.db.query(
    `select first_seen_at as first, last_seen_at as last from identity.known_devices device
       join public.users person on person.id = device.user_id where person.username = $1`,
    [username],
  )
  expect(seen).toEqual([{ first: new Date(firstMs), last: new Date(firstMs + 86_400_000) }])
})

test('endless sign-ins do not flood a mailbox', async () => {
  const { username, email } = await person()
  for (let at = 0; at < 30; at += 1) {
    await site.context.db.query(`delete from identity.limit_buckets where key like 'login%'`)
    await signIn(username, null, '')
  }
  const told = await mails.all('new-device', email)
  expect(told.length).toBe(10)
  expect(told[0]).toMatchObject({ device: '?' })
})
