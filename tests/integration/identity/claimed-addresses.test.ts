import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askForEmailChange, confirmEmailChange } from '../../../src/identity/accounts/change-email.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { readMailbox } from '../../../src/identity/people/people.ts'
import { readProfile } from '../../../src/identity/people/profile.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { resendEmailCode, verifyEmail } from '../../../src/identity/accounts/verify-email.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { somewhere } from '../../support/people.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'

const PASSWORD = 'correct horse battery'
const GUESS = 'what a stranger chose'
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())

let made = 0
let email = ''
let owner = ''
let stranger: { userId: string; username: string }
const enter = async (username: string, address: string, password = GUESS) => {
  const answer = await register(site.context, { username, email: address, password, language: 'de' }, somewhere())
  if (!answer.ok) throw new Error(answer.code)
  return answer
}
beforeEach(async () => {
  made += 1
  ;[owner, email] = [`owner${made}`, `owner${made}@example.test`]
  await enter(owner, email, PASSWORD)
  await site.context.db.query('update public.users set verified = true where username = $1', [owner])
  stranger = await enter(`stranger${made}`, email.toUpperCase())
})

const signIn = (name: string, password: string) => login(site.context, { name, password, device: null }, somewhere())
const counted = async (work: () => Promise<unknown>) => {
  const before = { ...site.counts }
  const answer = await work()
  return { answer, hashes: site.counts.hash - before.hash, checks: site.counts.verify - before.verify }
}

describe('an address that belongs to another account (case 15)', () => {
  test('it is registered like any other, and only its owner is notified', async () => {
    const free = await counted(() => register(site.context, entry('free'), somewhere()))
    const taken = await counted(() => register(site.context, { ...entry('late'), email }, somewhere()))
    const userId = expect.any(String)
    expect(free).toEqual({ answer: { ok: true, userId, username: `free${made}` }, hashes: 1, checks: 0 })
    expect(taken).toEqual({ answer: { ok: true, userId, username: `late${made}` }, hashes: 1, checks: 0 })
    expect((await mails.all('verify', email)).map(({ username }) => username)).toEqual([owner])
    expect(await mails.all('register-attempt', email)).toEqual([
      { username: owner, path: '/auth/passwordreset' },
      { username: owner, path: '/auth/passwordreset' },
    ])
  })

  test('a taken name is reported', async () => {
    const answer = await register(site.context, { ...entry('x'), username: owner, email }, somewhere())
    expect(answer).toEqual({ ok: false, code: 'USERNAME_TAKEN' })
  })

  test('its owner gets a limited number of mails', async () => {
    for (let at = 0; at < 6; at += 1) await enter(`again${made}-${at}`, email)
    // The owner's own registration was the first of three in this hour.
    expect(await mails.all('register-attempt', email)).toHaveLength(2)
  })

  test('it looks like any unverified address to the person who entered it', async () => {
    const { userId } = stranger
    expect(await readProfile(site.context.db, userId)).toMatchObject({ email, verified: false })
    const before = (await mails.all('verify', email)).length
    site.clock.advance(61_000)
    const resend = await resendEmailCode(site.context, { userId, address: '10.77.0.1', requestId: 'r' })
    expect(resend).toEqual({ ok: true, resendAfterSeconds: 60 })
    const { code } = await mails.newest('verify', email)
    expect(await verifyEmail(site.context, { userId, code, email })).toEqual({ ok: false, code: 'INVALID_CODE' })
    expect((await readMailbox(site.context.db, userId))?.verified).toBe(false)
    expect((await mails.all('verify', email)).length).toBe(before)
  })

  test('it signs in the person who entered it, by either name, and its owner as before', async () => {
    for (const name of [stranger.username, email]) {
      expect(await signIn(name, GUESS)).toMatchObject({ ok: true, tokens: { subject: { userId: stranger.userId } } })
    }
    const owned = await signIn(email, PASSWORD)
    expect(owned.ok && owned.tokens.subject.userId).not.toBe(stranger.userId)
    expect(await signIn(email, 'neither')).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
  })

  test('signing in costs the same checks, whether somebody else entered it or not', async () => {
    await enter(`alone${made}`, `alone${made}@example.test`)
    for (const name of [email, `alone${made}@example.test`]) {
      expect(await counted(() => signIn(name, 'neither'))).toMatchObject({ hashes: 0, checks: 2 })
    }
  })

  test('it gets no mail of the claiming account: no new device, no change of the address', async () => {
    await signIn(stranger.username, GUESS)
    await signIn(stranger.username, GUESS)
    const answer = await signIn(stranger.username, GUESS)
    if (!answer.ok) throw new Error(answer.code)
    const next = `next${made}@example.test`
    const wish = { person: { ...answer.tokens.subject, device: null }, email: next, password: GUESS, requestId: 'r' }
    expect(await askForEmailChange(site.context, wish, somewhere())).toEqual({ ok: true })
    const kinds = (await mails.collect()).filter(({ to }) => to === email).map(({ content }) => content.kind)
    expect(new Set(kinds)).toEqual(new Set(['verify', 'register-attempt']))
    const claimed = (await mails.collect()).filter(({ to }) => to.endsWith('.invalid'))
    expect(claimed).toEqual([])
    const confirm = tokenOf(await mails.newest('email-change', next))
    expect(await confirmEmailChange(site.context, confirm)).toMatchObject({ ok: true, email: next })
    expect(await readProfile(site.context.db, stranger.userId)).toMatchObject({ email: next, verified: true })
    expect(await signIn(email, GUESS)).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
  })

  test('of many who enter it the last one signs in with it, as with a free one', async () => {
    const free = `free${made}@example.test`
    const answersFor = async (address: string, first: string) => {
      await enter(`second-${first}`, address, 'of the second')
      const entered = [await signIn(address, GUESS), await signIn(address, 'of the second')]
      return entered.map(({ ok }) => ok)
    }
    await enter(`first${made}`, free)
    expect(await answersFor(free, `f${made}`)).toEqual([false, true])
    expect(await answersFor(email, `t${made}`)).toEqual([false, true])
    // Its owner as before.
    expect(await signIn(email, PASSWORD)).toMatchObject({ ok: true })
  })

  test('wrong passwords count alike, and nothing reveals whose it is', async () => {
    await enter(`holder${made}`, `holder${made}@example.test`)
    const flood = async (name: string, username: string) => {
      const from = { ...somewhere(), address: `10.66.${made}.${name === email ? 1 : 2}` }
      const tried = (as: string) => login(site.context, { name: as, password: 'a guess', device: null }, from)
      for (let at = 0; at < 10; at += 1) expect(await tried(name)).toMatchObject({ code: 'INVALID_CREDENTIALS' })
      const [byName, byAddress] = [await tried(username), await tried(name)]
      const [person] = await site.context.db.query<{ lines: number }>(
        `select count(*)::int as lines from identity.activities line join public.users person on person.id = line.user_id
         where username = $1 and type = 'login' and line.status = 'failure'`,
        [username],
      )
      return [byName, byAddress, person?.lines]
    }
    const ofHolder = await flood(`holder${made}@example.test`, `holder${made}`)
    expect(await flood(email, stranger.username)).toEqual(ofHolder)
    expect(ofHolder).toMatchObject([{ code: 'TOO_MANY_REQUESTS' }, { code: 'TOO_MANY_REQUESTS' }, 10])
  })

  test('unsent mails count like sent ones, so that the remaining limit reveals nothing', async () => {
    const holder = await enter(`mailed${made}`, `mailed${made}@example.test`)
    const leftOf = async ({ username }: { username: string }) => {
      for (let at = 0; at < 12; at += 1) expect(await signIn(username, GUESS)).toMatchObject({ ok: true })
      const answer = await signIn(username, GUESS)
      if (!answer.ok) throw new Error(answer.code)
      const person = { ...answer.tokens.subject, device: null }
      const wish = { person, email: `next-${username}@example.test`, password: GUESS, requestId: 'r' }
      return { code: 'sent', ...(await askForEmailChange(site.context, wish, somewhere())) }.code
    }
    expect([await leftOf(holder), await leftOf(stranger)]).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
  })

  test('the device of a claimant does not help with the owner’s account', async () => {
    const answer = await signIn(stranger.username, GUESS)
    const device = answer.ok ? answer.device : null
    const attempt = { name: email, password: PASSWORD, device }
    expect(await login(site.context, attempt, somewhere())).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
  })

  test('others see the address as the claimant entered it', async () => {
    const rows = await site.context.db.query('select email from cms_api.shown_addresses where id = $1', [
      stranger.userId,
    ])
    expect(rows).toEqual([{ email }])
  })

  test('of two who enter a free one at the same moment one gets it, and both get the same response', async () => {
    const free = `contested${made}@example.test`
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => register(site.context, { ...entry(`c${at}-`), email: free }, somewhere())),
    )
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true))
    const rows = await site.context.db.query('select 1 from public.users where email = $1', [free])
    const claims = await site.context.db.query('select 1 from identity.email_claims where email = $1', [free])
    expect([rows.length, claims.length]).toEqual([1, 7])
  })
})

const entry = (name: string) => ({
  username: `${name}${made}`,
  email: `${name}${made}@example.test`,
  password: GUESS,
  language: 'en' as const,
})
