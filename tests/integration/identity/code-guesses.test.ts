import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { finishLogin, login } from '../../../src/identity/sign-in/login.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { PASSWORD, personWithTotp, somewhere } from '../../support/people.ts'
import { openMailbox } from '../../support/site-mails.ts'

let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets'))

const HOUR_MS = 3_600_000
/** A code that is wrong at this moment. */
const wrongOf = async ({ code }: { code: () => Promise<string> }) => ((await code()) === '000000' ? '000001' : '000000')
const guess = (name: string, code: string, device: string | null = null) =>
  login(site.context, { name, password: PASSWORD, device, code }, somewhere())

/** Guesses from fresh addresses, as often as somebody with the right password can. Resolves with how many were checked. */
const flood = async (
  person: Awaited<ReturnType<typeof personWithTotp>>,
  count: number,
  device: string | null = null,
) => {
  const wrong = await wrongOf(person)
  let checked = 0
  for (let at = 0; at < count; at += 1) {
    const answer = await guess(person.username, wrong, device)
    if (!answer.ok && answer.code === 'INVALID_CODE') checked += 1
  }
  return checked
}

test('fifty addresses together check 14 codes of an account within a day (S6)', async () => {
  const person = await personWithTotp(site)
  let checked = 0
  for (let hour = 0; hour < 24; hour += 1) {
    checked += await flood(person, 4)
    site.clock.advance(HOUR_MS)
  }
  expect(checked).toBe(14)
})

test('a challenge opened again and again takes no further guesses (S6)', async () => {
  const person = await personWithTotp(site)
  const wrong = await wrongOf(person)
  const codes: string[] = []
  for (let round = 0; round < 6; round += 1) {
    const begun = await login(site.context, { name: person.username, password: PASSWORD, device: null }, somewhere())
    if (begun.ok || begun.code !== 'OTP_REQUIRED') throw new Error('There should be a second step.')
    for (let at = 0; at < 4; at += 1) {
      const step = { challenge: begun.challenge, code: wrong, device: null }
      const answer = await finishLogin(site.context, step, somewhere())
      codes.push(answer.ok ? 'in' : answer.code)
    }
  }
  expect(codes.filter((code) => code === 'INVALID_CODE')).toHaveLength(7)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(17)
})

test('forty guesses at the same moment are counted one by one', async () => {
  const person = await personWithTotp(site)
  const wrong = await wrongOf(person)
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess(person.username, wrong)))
  expect(answers.filter((answer) => !answer.ok && answer.code === 'INVALID_CODE')).toHaveLength(7)
})

test('under that flood the owner signs in on a known device, and anywhere with a recovery code', async () => {
  const person = await personWithTotp(site)
  const first = await guess(person.username, await person.code())
  expect(await flood(person, 20)).toBe(7)
  site.clock.advance(60_000)
  expect(await guess(person.username, await person.code())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(await guess(person.username, await person.code(), first.ok ? first.device : null)).toMatchObject({ ok: true })
  expect(await guess(person.username, person.recoveryCodes[0] ?? '')).toMatchObject({ ok: true })
})

test('all known devices of an account share their guesses', async () => {
  const person = await personWithTotp(site)
  const devices: (string | null)[] = []
  for (let at = 0; at < 3; at += 1) {
    const answer = await guess(person.username, await person.code())
    devices.push(answer.ok ? answer.device : null)
    site.clock.advance(60_000)
  }
  expect(devices).not.toContain(null)
  let checked = 0
  for (const device of devices) checked += await flood(person, 5, device)
  expect(checked).toBe(7)
})

test('the owner is notified once of guesses, by mail and at the bell, and not of two wrong codes', async () => {
  const person = await personWithTotp(site)
  const email = `${person.username}@example.test`
  await flood(person, 2)
  expect(await mails.all('code-guesses', email)).toEqual([])
  await flood(person, 20)
  expect(await mails.all('code-guesses', email)).toMatchObject([{ username: person.username }])
  const order = (await mails.collect()).find(({ to, content }) => to === email && content.kind === 'code-guesses')
  expect(order?.bell).toEqual({ userId: person.userId, text: 'security.codes' })
})
