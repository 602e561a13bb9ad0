import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../src/identity/sign-in/login.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { askForReset, resetPassword } from '../../../src/identity/accounts/reset-password.ts'
import { changePassword } from '../../../src/identity/accounts/change-password.ts'
import { writePassword } from '../../../src/identity/accounts/credentials.ts'
import { isSessionAlive, openSession, PasswordReplaced } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'

const MINUTE_MS = 60_000
const password = 'correct horse battery'
const newPassword = 'another long enough one'
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets'))

let people = 0
const from = (address: string) => ({ address, userAgent: 'test' })
const person = async () => {
  people += 1
  const names = { username: `forgetful${people}`, email: `forgetful${people}@example.test` }
  const answer = await register(site.context, { ...names, password, language: 'en' }, from(`10.4.${people}.1`))
  if (!answer.ok) throw new Error(answer.code)
  return { ...names, userId: answer.userId, origin: from(`10.4.${people}.1`) }
}
const ask = (email: string, origin = from('10.5.0.1')) =>
  askForReset(site.context, { email, language: 'hu', requestId: 'request-1' }, origin)
const linkTo = async (email: string) => {
  await ask(email)
  return tokenOf(await mails.newest('reset', email))
}
const reset = (token: string, given = newPassword) =>
  resetPassword(site.context, { token, password: given }, { address: '10.9.9.9', userAgent: 'test' })
const signIn = (name: string, given: string) =>
  login(site.context, { name, password: given, device: null }, from('10.6.0.1'))
const INVALID = { ok: false, code: 'LINK_INVALID' }

describe('a password reset request', () => {
  test('it sends a link to the account’s address, in the requester’s language, valid for half an hour', async () => {
    const { email, username } = await person()
    expect(await ask(email.toUpperCase())).toEqual({ ok: true })
    const order = (await mails.collect()).findLast(({ to }) => to === email)
    expect(order).toMatchObject({
      language: 'hu',
      content: {
        kind: 'reset',
        params: { username, minutes: 30, path: expect.stringMatching(/^\/auth\/passwordreset\?token=[\w-]{43}$/) },
      },
    })
    expect(Date.parse(order?.expiresAt ?? '') - site.clock.now()).toBe(30 * MINUTE_MS)
  })

  test('an unknown address gets the same response, by the same statements (case 15)', async () => {
    const { email } = await person()
    const statements: string[] = []
    const { context } = site
    const db = {
      ...context.db,
      query: <Row extends object>(text: string, values?: readonly unknown[]) => {
        statements.push(text)
        return context.db.query<Row>(text, values)
      },
    }
    const watched = (address: string) =>
      askForReset({ ...context, db }, { email: address, language: 'hu', requestId: '' }, from('10.5.0.2'))
    const known = [await watched(email), [...statements]]
    statements.length = 0
    const unknown = [await watched('nobody@example.test'), [...statements]]
    expect(unknown).toEqual(known)
    await mails.collect()
    expect(await mails.all('reset', 'nobody@example.test')).toEqual([])
    expect(await mails.all('reset', email)).toHaveLength(1)
  })

  test('T75: requests from one address are limited, without blocking anybody else', async () => {
    const { email } = await person()
    const flood = []
    for (let at = 0; at < 30; at += 1) flood.push(await ask(email, from('10.66.0.1')))
    expect(flood.filter(({ ok }) => ok)).toHaveLength(3)
    expect(await ask(email, from('10.67.0.1'))).toEqual({ ok: true })
  })

  test('T75: requests from a thousand addresses do not flood a mailbox, and do not reveal it', async () => {
    const { email } = await person()
    for (let at = 0; at < 40; at += 1) expect(await ask(email, from(`10.68.${at}.1`))).toEqual({ ok: true })
    // The code of the registration was the first of three mails in this hour.
    expect(await mails.all('reset', email)).toHaveLength(2)
  })
})

describe('a link that sets a password (case 21)', () => {
  test('it works once: the new password signs in, the old one does not, and every session has ended', async () => {
    const anna = await person()
    const before = await signIn(anna.username, password)
    const token = await linkTo(anna.email)
    expect(await reset(token)).toEqual({ ok: true, userId: anna.userId })
    expect(before.ok && (await isSessionAlive(site.context, before.tokens.subject))).toBe(false)
    expect(await signIn(anna.username, password)).toMatchObject({ ok: false })
    expect(await signIn(anna.username, newPassword)).toMatchObject({ ok: true })
    expect(await reset(token, 'a third password')).toEqual(INVALID)
  })

  test('it ends a pending sign-in with the older password', async () => {
    const anna = await person()
    const token = await linkTo(anna.email)
    site.clock.advance(1_000)
    let isHeld = true
    const { hasher } = site.context
    const slow = {
      ...hasher,
      // The password is looked at, and meanwhile the link sets another one.
      verify: async (given: string, stored: string | null) => {
        const isRight = await hasher.verify(given, stored)
        if (isHeld) expect(await reset(token)).toMatchObject({ ok: true })
        isHeld = false
        return isRight
      },
    }
    const attempt = { name: anna.username, password, device: null }
    const answer = await login({ ...site.context, hasher: slow }, attempt, from('10.6.0.2'))
    expect(answer).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
    const alive = await site.context.db.query(
      'select 1 from identity.sessions where user_id = $1 and ended_at is null',
      [anna.userId],
    )
    expect(alive).toEqual([])
  })

  test('it makes a concurrently starting session wait, and end', async () => {
    const anna = await person()
    const { context, clock } = site
    const [{ changed_at: passwordAt } = { changed_at: null }] = await context.db.query<{ changed_at: Date }>(
      'select changed_at from identity.credentials where user_id = $1',
      [anna.userId],
    )
    clock.advance(1_000)
    let opening: Promise<unknown> = Promise.resolve()
    await context.db.transaction(async (tx) => {
      await writePassword(tx, context, { userId: anna.userId, passwordHash: 'another' })
      opening = openSession(context, { userId: anna.userId, factor: null, passwordAt }, from('10.6.0.3')).catch(
        (error: unknown) => error,
      )
      await expect
        .poll(() =>
          context.db.query(`select 1 from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query ~ 'for share'`),
        )
        .toHaveLength(1)
    })
    expect(await opening).toBeInstanceOf(PasswordReplaced)
  })

  test('it is stored as a hash', async () => {
    const { email, userId } = await person()
    const token = await linkTo(email)
    const rows = await site.context.db.query<{ row: string; hash: Buffer }>(
      'select token::text as row, hash from identity.reset_tokens token where user_id = $1',
      [userId],
    )
    expect(`${rows[0]?.row} ${rows[0]?.hash.toString('base64url')}`).not.toContain(token)
  })

  test('it expires after half an hour', async () => {
    const token = await linkTo((await person()).email)
    site.clock.advance(30 * MINUTE_MS)
    expect(await reset(token)).toEqual(INVALID)
  })

  test('it is void once a newer one was requested', async () => {
    const { email } = await person()
    const older = await linkTo(email)
    const newer = await linkTo(email)
    expect(await reset(older)).toEqual(INVALID)
    expect(await reset(newer)).toMatchObject({ ok: true })
  })

  test('it is void after the password was changed', async () => {
    const anna = await person()
    const token = await linkTo(anna.email)
    const session = await signIn(anna.username, password)
    if (!session.ok) throw new Error('not signed in')
    const { subject } = session.tokens
    const change = { person: { ...subject, device: null }, currentPassword: password, password: newPassword }
    expect(await changePassword(site.context, change, anna.origin)).toMatchObject({ ok: true })
    expect(await reset(token)).toEqual(INVALID)
  })

  test('it is void after the address was changed', async () => {
    const { email, userId } = await person()
    const token = await linkTo(email)
    await site.context.db.query('update public.users set email = $2 where id = $1', [userId, `moved-${email}`])
    expect(await reset(token)).toEqual(INVALID)
  })

  test.each([
    ['in capitals', (token: string) => token.toUpperCase()],
    ['with a space', (token: string) => ` ${token}`],
    ['with an end', (token: string) => `${token}=`],
    ['that nobody was given', () => 'A'.repeat(43)],
    ['that is empty', () => ''],
  ])('%s is a different link', async (_how, changed) => {
    const { email } = await person()
    const token = await linkTo(email)
    if (changed(token) !== token) expect(await reset(changed(token))).toEqual(INVALID)
    expect(await reset(token)).toMatchObject({ ok: true })
  })

  test('used twenty times at once it sets one password', async () => {
    const anna = await person()
    const token = await linkTo(anna.email)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => reset(token, `password number ${at}`)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const winner = answers.findIndex(({ ok }) => ok)
    expect(await signIn(anna.username, `password number ${winner}`)).toMatchObject({ ok: true })
  })

  test('a void link costs no hash', async () => {
    const before = site.counts.hash
    expect(await reset('B'.repeat(43))).toEqual(INVALID)
    expect(site.counts.hash).toBe(before)
  })
})

describe('a change of the password', () => {
  const signedIn = async (name: string) => {
    const answer = await signIn(name, password)
    if (!answer.ok) throw new Error(answer.code)
    return answer.tokens.subject
  }

  test('a password change ends every other session, names them, and keeps this one', async () => {
    const anna = await person()
    const [here, phone, laptop] = [
      await signedIn(anna.username),
      await signedIn(anna.username),
      await signedIn(anna.username),
    ]
    const other = await signedIn((await person()).username)
    const change = { person: { ...here, device: null }, currentPassword: password, password: newPassword }
    const answer = await changePassword(site.context, change, anna.origin)
    expect(answer.ok && [...answer.ended].sort()).toEqual([phone.sessionId, laptop.sessionId].sort())
    const alive = await Promise.all(
      [here, phone, laptop, other].map((subject) => isSessionAlive(site.context, subject)),
    )
    expect(alive).toEqual([true, false, false, true])
    expect(await signIn(anna.username, newPassword)).toMatchObject({ ok: true })
  })

  test('a password change needs the current password, and a guesser is stopped before hashing', async () => {
    const anna = await person()
    const subject = await signedIn(anna.username)
    const guess = () =>
      changePassword(
        site.context,
        { person: { ...subject, device: null }, currentPassword: 'a guess', password: newPassword },
        anna.origin,
      )
    for (let tries = 0; tries < 10; tries += 1) expect(await guess()).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    const before = site.counts.verify
    expect(await guess()).toMatchObject({ ok: false, code: 'TOO_MANY_REQUESTS' })
    expect(site.counts.verify).toBe(before)
    expect(await signIn(anna.username, password)).toMatchObject({ ok: true })
  })
})
