import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPasskey, beginPasskey } from '../../../src/identity/factors/add-passkey.ts'
import { mintAccessToken } from '../../../src/identity/keys/access-tokens.ts'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { beginPasskeyLogin, finishPasskeyLogin } from '../../../src/identity/sign-in/passkey-login.ts'
import { passkeySite } from '../../../src/identity/factors/passkey-site.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../../src/identity/factors/passkeys.ts'
import type { Person } from '../../../src/identity/factors/prove-person.ts'
import { readFactors } from '../../../src/identity/sessions/second-factor.ts'
import { FactorMissing, openSession } from '../../../src/identity/sessions/sessions.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, personWithTotp, signedIn, somewhere } from '../../support/people.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const HOST = { id: 'bakter.test', origin: 'https://bakter.test' }
const shownTo = (challenge: string, change: Partial<{ origin: string; rpId: string }> = {}) => ({
  challenge,
  origin: HOST.origin,
  rpId: HOST.id,
  ...change,
})

type Making = { authenticator?: SoftwareAuthenticator; origin?: string; person: Person; name?: string }
const make = async ({ authenticator = new SoftwareAuthenticator(), origin, person, name = 'Key' }: Making) => {
  const wish = { person, password: PASSWORD, code: undefined, site: HOST, browser: null }
  const begun = await beginPasskey(site.context, wish, somewhere())
  if (!begun.ok) throw new Error(begun.code)
  const shown = shownTo(begun.options.challenge, origin === undefined ? {} : { origin })
  const response = authenticator.create({ ...shown, userHandle: begun.options.user.id })
  const { challenge } = begun
  return {
    authenticator,
    begun,
    response,
    add: () => addPasskey(site.context, { person, site: HOST, challenge, response, name }, somewhere()),
  }
}

/** Somebody with one passkey and nothing else. */
const personWithPasskey = async () => {
  const { username, userId } = await newPerson(site, 'passkey')
  const { person, tokens } = await signedIn(site, username)
  const { authenticator, add } = await make({ person })
  const added = await add()
  if (!added.ok) throw new Error(added.code)
  return { username, userId, person, tokens, authenticator, recoveryCodes: added.recoveryCodes }
}

const begin = async (second: { token: string; browser: string } | null = null) => {
  const begun = await beginPasskeyLogin(site.context, { site: HOST, second, browser: second?.browser ?? null })
  if (!begun.ok) throw new Error(begun.code)
  return begun
}
type Begun = Awaited<ReturnType<typeof begin>>
const finish = (begun: Pick<Begun, 'challenge'>, response: ReturnType<SoftwareAuthenticator['get']>) =>
  finishPasskeyLogin(site.context, { site: HOST, challenge: begun.challenge, response, device: null }, somewhere())
const signInWith = async (authenticator: SoftwareAuthenticator, change = {}) => {
  const begun = await begin()
  return finish(begun, authenticator.get(shownTo(begun.options.challenge, change)))
}
const afterPassword = async (username: string) => {
  const answer = await login(site.context, { name: username, password: PASSWORD, device: null }, somewhere())
  if (answer.ok || answer.code !== 'OTP_REQUIRED') throw new Error('There should be a second step.')
  return answer
}
const refused = { ok: false, code: 'PASSKEY_REFUSED' }
/** The sessions of a person, and the counters of their passkeys: what a sign-in would have changed. */
const stateOf = async (userId: string) => ({
  sessions: await site.context.db.query('select id, ended_at from identity.sessions where user_id = $1 order by id', [
    userId,
  ]),
  passkeys: await site.context.db.query(
    'select id, name, counter, last_used_at from identity.passkeys where user_id = $1 order by id',
    [userId],
  ),
})

describe('adding a passkey', () => {
  test('adding a passkey needs the password, and turns the second factor on', async () => {
    const { username } = await newPerson(site)
    const older = await signedIn(site, username)
    const { person } = await signedIn(site, username)
    const wish = { person, password: 'guess', code: undefined, site: HOST, browser: null }
    expect(await beginPasskey(site.context, wish, somewhere())).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    const { add, begun } = await make({ person, name: 'Blue key' })
    expect(begun.options).toMatchObject({
      rp: { id: HOST.id },
      user: { name: username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const added = await add()
    expect(added).toMatchObject({ ok: true, endedSessions: [older.tokens.subject.sessionId] })
    expect(added.ok && added.recoveryCodes).toHaveLength(10)
    expect(await listPasskeys(site.context.db, person.userId)).toMatchObject([{ name: 'Blue key', lastUsedAt: null }])
    expect((await afterPassword(username)).factors).toMatchObject({ totp: false, passkeys: 1 })
  })

  test('a second passkey leaves the recovery codes unchanged', async () => {
    const { person } = await personWithPasskey()
    expect(await (await make({ person })).add()).toMatchObject({ ok: true, recoveryCodes: null })
    expect(await readFactors(site.context.db, person.userId)).toMatchObject({ passkeys: 2, recoveryCodesLeft: 10 })
  })

  test.each([
    ['of another page', { origin: 'https://evil.test' }],
    [
      'of an authenticator that asks nobody',
      { authenticator: Object.assign(new SoftwareAuthenticator(), { verifiesUser: false }) },
    ],
  ])('a response %s is refused', async (_name, change) => {
    const { username } = await newPerson(site)
    const { person } = await signedIn(site, username)
    expect(await (await make({ person, ...change })).add()).toEqual({ ok: false, code: 'PASSKEY_NOT_ADDED' })
    expect(await readFactors(site.context.db, person.userId)).toMatchObject({ passkeys: 0 })
  })

  test('a response counts once, for the person who began, and for a new credential', async () => {
    const [one, other] = [await newPerson(site), await newPerson(site)]
    const [{ person }, { person: thief }] = [await signedIn(site, one.username), await signedIn(site, other.username)]
    const { begun, response, add, authenticator } = await make({ person })
    const stolen = { person: thief, site: HOST, challenge: begun.challenge, response, name: 'Stolen' }
    const no = { ok: false, code: 'PASSKEY_NOT_ADDED' }
    expect(await addPasskey(site.context, stolen, somewhere())).toEqual(no)
    const elsewhere = { ...begun.challenge, browser: 'of another browser' }
    expect(await addPasskey(site.context, { ...stolen, person, challenge: elsewhere }, somewhere())).toEqual(no)
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    // Another credential for a challenge that was used.
    const again = new SoftwareAuthenticator().create({
      ...shownTo(begun.options.challenge),
      userHandle: begun.options.user.id,
    })
    expect(await addPasskey(site.context, { ...stolen, person, response: again }, somewhere())).toEqual(no)
    // The same credential a second time, by whomever.
    expect(await (await make({ person: thief, authenticator })).add()).toEqual(no)
  })
})

describe('signing in with a passkey alone', () => {
  test('a passkey alone opens a session with the second factor shown, and its counter advances', async () => {
    const { authenticator, userId } = await personWithPasskey()
    const begun = await begin()
    expect(begun.options).toMatchObject({ rpId: HOST.id, userVerification: 'required', allowCredentials: [] })
    const answer = await finish(begun, authenticator.get(shownTo(begun.options.challenge)))
    expect(answer).toMatchObject({ ok: true, tokens: { subject: { userId } } })
    const token = answer.ok ? answer.tokens.accessToken : ''
    const headers = new Headers({ authorization: `Bearer ${token}` })
    expect(await authenticate(site.context, headers, false)).toMatchObject({ ok: true })
    const [passkey] = await listPasskeys(site.context.db, userId)
    expect(passkey).toMatchObject({ counter: authenticator.counter, lastUsedAt: expect.any(Date) })
  })

  test('a challenge serves one sign-in, in one browser, for five minutes', async () => {
    const { authenticator } = await personWithPasskey()
    const expired = { ok: false, code: 'TOKEN_EXPIRED' }
    const begun = await begin()
    const response = authenticator.get(shownTo(begun.options.challenge))
    const elsewhere = { challenge: { ...begun.challenge, browser: 'of somebody else' } }
    expect(await finish(elsewhere, response)).toEqual(expired)
    const answers = await Promise.all(Array.from({ length: 5 }, () => finish(begun, response)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const late = await begin()
    site.clock.advance(301_000)
    expect(await finish(late, authenticator.get(shownTo(late.options.challenge)))).toEqual(expired)
  })

  test('a response to another challenge is refused, and one for adding does not sign in', async () => {
    const { authenticator, person } = await personWithPasskey()
    const [one, other] = [await begin(), await begin()]
    expect(await finish(one, authenticator.get(shownTo(other.options.challenge)))).toEqual(refused)
    const { begun } = await make({ person })
    const response = authenticator.get(shownTo(begun.options.challenge))
    expect(await finish({ challenge: begun.challenge }, response)).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
  })

  test.each([
    ['another page', { origin: 'https://evil.test' }],
    ['a page of a longer name', { origin: 'https://bakter.test.evil.test' }],
    ['a plain address', { origin: 'http://bakter.test' }],
    ['another site', { rpId: 'evil.test' }],
  ])('a response for %s is refused', async (_name, change) => {
    const { authenticator, userId } = await personWithPasskey()
    const before = await stateOf(userId)
    expect(await signInWith(authenticator, change)).toEqual(refused)
    expect(await stateOf(userId)).toEqual(before)
  })

  test('user verification is required, and the response must name the right owner', async () => {
    const [one, other] = [await personWithPasskey(), await personWithPasskey()]
    one.authenticator.verifiesUser = false
    expect(await signInWith(one.authenticator)).toEqual(refused)
    other.authenticator.userHandle = one.authenticator.userHandle
    expect(await signInWith(other.authenticator)).toEqual(refused)
  })

  test('a copied authenticator is detected by its counter', async () => {
    const { authenticator } = await personWithPasskey()
    await signInWith(authenticator)
    authenticator.counter -= 2
    expect(await signInWith(authenticator)).toEqual(refused)
    authenticator.counter += 5
    expect(await signInWith(authenticator)).toMatchObject({ ok: true })
  })

  test('of two copies used at the same moment one is accepted', async () => {
    const { authenticator } = await personWithPasskey()
    const answers = []
    for (const begun of [await begin(), await begin(), await begin()]) {
      const { counter } = authenticator
      const response = authenticator.get(shownTo(begun.options.challenge))
      authenticator.counter = counter
      answers.push({ begun, response })
    }
    const signedIn = await Promise.all(answers.map(({ begun, response }) => finish(begun, response)))
    expect(signedIn.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('a synchronised passkey has no counter, and works', async () => {
    const { username } = await newPerson(site)
    const { person } = await signedIn(site, username)
    const authenticator = Object.assign(new SoftwareAuthenticator(), { step: 0 })
    await (await make({ person, authenticator })).add()
    for (let at = 0; at < 2; at += 1) {
      expect(await signInWith(authenticator)).toMatchObject({
        ok: true,
        tokens: { subject: { userId: person.userId } },
      })
    }
    expect((await stateOf(person.userId)).passkeys).toMatchObject([{ counter: 0n, last_used_at: expect.any(Date) }])
  })

  test('a signature by another key, and an unknown credential, are refused', async () => {
    const { authenticator } = await personWithPasskey()
    const stranger = new SoftwareAuthenticator()
    expect(await signInWith(stranger)).toEqual(refused)
    const begun = await begin()
    const { response } = stranger.get(shownTo(begun.options.challenge))
    const own = authenticator.get(shownTo(begun.options.challenge))
    expect(await finish(begun, { ...own, response: { ...own.response, signature: response.signature } })).toEqual(
      refused,
    )
  })
})

describe('a passkey as the second step', () => {
  test('as the second step a passkey signs in after the password, even without user verification', async () => {
    const { username, authenticator, userId } = await personWithPasskey()
    authenticator.verifiesUser = false
    const { challenge } = await afterPassword(username)
    const begun = await begin(challenge)
    expect(begun.options.allowCredentials?.map(({ id }) => id)).toEqual([
      authenticator.credentialId.toString('base64url'),
    ])
    const answer = await finish(begun, authenticator.get(shownTo(begun.options.challenge)))
    expect(answer).toMatchObject({ ok: true, tokens: { subject: { userId } } })
  })

  test('another person’s passkey does not complete a sign-in (case 10)', async () => {
    const [one, other] = [await personWithPasskey(), await personWithPasskey()]
    const before = [await stateOf(one.userId), await stateOf(other.userId)]
    const begun = await begin((await afterPassword(one.username)).challenge)
    expect(await finish(begun, other.authenticator.get(shownTo(begun.options.challenge)))).toEqual(refused)
    expect([await stateOf(one.userId), await stateOf(other.userId)]).toEqual(before)
  })

  test('a challenge without a password does not start a second step', async () => {
    const begun = await begin()
    const second = begun.challenge
    expect(await beginPasskeyLogin(site.context, { site: HOST, second, browser: null })).toEqual({
      ok: false,
      code: 'TOKEN_EXPIRED',
    })
  })

  test('a passkey works beside an authenticator app', async () => {
    const { username, person } = await personWithTotp(site)
    const { authenticator, add } = await make({ person })
    expect(await add()).toMatchObject({ ok: true, recoveryCodes: null })
    const begun = await begin((await afterPassword(username)).challenge)
    expect(await finish(begun, authenticator.get(shownTo(begun.options.challenge)))).toMatchObject({ ok: true })
  })
})

describe('the list', () => {
  test('nobody can rename or remove another person’s passkey', async () => {
    const [one, other] = [await personWithPasskey(), await personWithPasskey()]
    const { db } = site.context
    const [passkey] = await listPasskeys(db, one.userId)
    const id = passkey?.id ?? ''
    expect(await renamePasskey(db, { userId: one.userId, id, name: 'Green key' })).toBe(true)
    expect(await renamePasskey(db, { userId: other.userId, id, name: 'Mine now' })).toBe(false)
    const removal = { id, password: PASSWORD, code: undefined }
    expect(await removePasskey(site.context, { ...removal, person: other.person }, somewhere())).toEqual({
      ok: false,
      code: 'NOT_FOUND',
    })
    expect(await listPasskeys(db, one.userId)).toMatchObject([{ name: 'Green key' }])
  })

  test('removing a passkey needs re-authentication', async () => {
    const { person, userId, recoveryCodes, authenticator, username } = await personWithPasskey()
    const [passkey] = await listPasskeys(site.context.db, userId)
    site.clock.advance(11 * 60_000)
    const remove = (password: string, code?: string) =>
      removePasskey(site.context, { person, id: passkey?.id ?? '', password, code }, somewhere())
    expect(await remove('guess')).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await remove(PASSWORD)).toEqual({ ok: false, code: 'CODE_NEEDED' })
    expect(await remove(PASSWORD, '000000')).toEqual({ ok: false, code: 'WRONG_CODE' })
    expect(await readFactors(site.context.db, userId)).toMatchObject({ passkeys: 1, recoveryCodesLeft: 10 })
    expect(await remove(PASSWORD, recoveryCodes?.[0])).toEqual({ ok: true })
    expect(await signInWith(authenticator)).toEqual(refused)
    expect(await readFactors(site.context.db, userId)).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
    await signedIn(site, username)
  })
})

describe('what a removed passkey opened', () => {
  const isAlive = (token: string) =>
    authenticate(site.context, new Headers({ authorization: `Bearer ${token}` }), false).then(({ ok }) => ok)
  const openWith = async (authenticator: SoftwareAuthenticator) => {
    const answer = await signInWith(authenticator)
    if (!answer.ok) throw new Error(answer.code)
    return answer.tokens
  }

  test('sessions opened with a removed passkey end, and those of another passkey stay', async () => {
    const { person, userId, authenticator } = await personWithPasskey()
    const { add, authenticator: other } = await make({ person })
    await add()
    const [lost, kept] = [await openWith(authenticator), await openWith(other)]
    const { db } = site.context
    // Nobody knows which passkey opened a session from before.
    const before = await openWith(other)
    await db.query('update identity.sessions set passkey_id = null where id = $1', [before.subject.sessionId])
    const [first] = await listPasskeys(db, userId)
    const removal = { person, id: first?.id ?? '', password: PASSWORD, code: undefined }
    expect(await removePasskey(site.context, removal, somewhere())).toEqual({ ok: true })
    expect(await Promise.all([lost, before, kept].map(({ accessToken }) => isAlive(accessToken)))).toEqual([
      false,
      false,
      true,
    ])
    const rows = await db.query('select end_reason from identity.sessions where id = $1', [lost.subject.sessionId])
    expect(rows).toEqual([{ end_reason: 'passkey removed' }])
    // The one who removes it keeps the session, although it was that passkey that gave it its factor.
    expect(await authenticate(site.context, await headersOf(person.sessionId), false)).toMatchObject({ ok: true })
  })

  test('a sign-in in progress with a removed passkey fails', async () => {
    const { userId, person } = await personWithPasskey()
    const [passkey] = await listPasskeys(site.context.db, userId)
    const passkeyId = passkey?.id ?? ''
    await removePasskey(site.context, { person, id: passkeyId, password: PASSWORD, code: undefined }, somewhere())
    await expect(openSession(site.context, { userId, factor: 'passkey', passkeyId }, somewhere())).rejects.toThrow(
      FactorMissing,
    )
  })

  const headersOf = async (sessionId: string) => {
    const [row] = await site.context.db.query<{ user_id: string }>(
      'select user_id from identity.sessions where id = $1',
      [sessionId],
    )
    const subject = { userId: row?.user_id ?? '', sessionId }
    const { ids, clock, keys } = site.context
    const token = await mintAccessToken({ subject, nowMs: clock.now(), ids, key: await keys.signing() })
    return new Headers({ authorization: `Bearer ${token}` })
  }
})

test.each([
  ['https://bakter.test', { id: 'bakter.test', origin: 'https://bakter.test' }],
  ['https://bakter.test:8443', { id: 'bakter.test', origin: 'https://bakter.test:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', null],
  ['https://[::1]:3000', null],
  ['http://bakter.test', null],
])('at %s passkeys belong to %j', (url, expected) => {
  expect(passkeySite(url)).toEqual(expected)
})
