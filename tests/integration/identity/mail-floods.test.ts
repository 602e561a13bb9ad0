import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askForEmailChange } from '../../../src/identity/accounts/change-email.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { askForReset } from '../../../src/identity/accounts/reset-password.ts'
import { resendEmailCode } from '../../../src/identity/accounts/verify-email.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { PASSWORD, somewhere } from '../../support/people.ts'
import { openMailbox } from '../../support/site-mails.ts'

let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets, identity.mailbox_mails'))

const HOUR_MS = 3_600_000
let made = 0
const enter = async (email: string) => {
  const username = `flooded${(made += 1)}`
  const answer = await register(site.context, { username, email, password: PASSWORD, language: 'en' }, somewhere())
  return answer.ok ? { userId: answer.userId, username } : answer
}
const person = async (email: string) => {
  const entered = await enter(email)
  if ('ok' in entered) throw new Error(entered.code)
  return entered
}
const askReset = (email: string) =>
  askForReset(site.context, { email, language: 'en', requestId: 'flood' }, somewhere())
/** How many mails came to any address of this mailbox. */
const mailsTo = async (part: string) => (await mails.collect()).filter(({ to }) => to.startsWith(part)).length

test('50 reset requests from fresh addresses cause three mails in an hour and six in a day (S12)', async () => {
  await person('anna@example.test')
  await site.context.db.query('truncate identity.mailbox_mails')
  const answers: unknown[] = []
  const sentIn = async () => {
    const before = (await mails.all('reset', 'anna@example.test')).length
    for (let at = 0; at < 50; at += 1) answers.push(await askReset('anna@example.test'))
    return (await mails.all('reset', 'anna@example.test')).length - before
  }
  const sent = []
  for (let hour = 0; hour < 4; hour += 1) {
    sent.push(await sentIn())
    site.clock.advance(HOUR_MS)
  }
  expect(sent).toEqual([3, 3, 0, 0])
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"ok":true}']))
  site.clock.advance(20 * HOUR_MS)
  expect(await sentIn()).toBe(3)
})

test('all requests at the same moment cause three mails', async () => {
  await person('berta@example.test')
  await site.context.db.query('truncate identity.mailbox_mails')
  await Promise.all(Array.from({ length: 30 }, () => askReset('berta@example.test')))
  expect(await mails.all('reset', 'berta@example.test')).toHaveLength(3)
})

test('registrations, resets and changes to any address of a mailbox share its three mails, and their answers tell nothing (S12)', async () => {
  const answers = []
  for (let at = 0; at < 4; at += 1) answers.push(await enter(`cili+${at}@gmail.com`))
  expect(answers.every((answer) => 'userId' in answer)).toBe(true)
  const other = await person('other@example.test')
  const signedIn = await login(site.context, { name: other.username, password: PASSWORD, device: null }, somewhere())
  if (!signedIn.ok) throw new Error(signedIn.code)
  const wish = { person: { ...signedIn.tokens.subject, device: null }, password: PASSWORD, requestId: 'flood' }
  expect(await askForEmailChange(site.context, { ...wish, email: 'c.ili@gmail.com' }, somewhere())).toEqual({
    ok: true,
  })
  expect(await askReset('cili+0@gmail.com')).toEqual({ ok: true })
  expect((await mailsTo('cili')) + (await mailsTo('c.ili'))).toBe(3)
})

test('a new code is refused after three of an account, and not sent after three of its mailbox', async () => {
  const first = await person('dora@example.test')
  const resend = (userId: string) => {
    site.clock.advance(61_000)
    return resendEmailCode(site.context, { userId, address: '10.3.0.1', requestId: 'flood' })
  }
  expect(await resend(first.userId)).toMatchObject({ ok: true })
  expect(await resend(first.userId)).toMatchObject({ ok: true })
  expect(await resend(first.userId)).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const second = await person('dora+2@example.test')
  expect(await resend(second.userId)).toMatchObject({ ok: true })
  expect(await mailsTo('dora')).toBe(3)
})
