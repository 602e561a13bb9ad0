import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import { renewRecoveryCodes, setUpTotp, turnTotpOff, turnTotpOn } from '../../../src/identity/factors/factor-setup.ts'
import { finishLogin, login } from '../../../src/identity/sign-in/login.ts'
import { rotateKeys } from '../../../src/identity/keys/rotate-keys.ts'
import { createSealer } from '../../../src/identity/context/sealing.ts'
import { readFactors } from '../../../src/identity/sessions/second-factor.ts'
import { FactorMissing, openSession, refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity, SEAL_SECRET } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, personWithTotp, signedIn, somewhere } from '../../support/people.ts'
import { codeAt } from '../../support/totp-code.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const STEP_MS = 30_000
const isSignedIn = async (token: string) =>
  (await authenticate(site.context, new Headers({ authorization: `Bearer ${token}` }), false)).ok

/** The first step of a sign-in: the password, and what is asked for after it. */
const begin = async (name: string, browser: string | null = null) => {
  const answer = await login(site.context, { name, password: PASSWORD, device: null, browser }, somewhere())
  if (answer.ok || answer.code !== 'OTP_REQUIRED') throw new Error('There should be a second step.')
  return answer.challenge
}
const finish = (challenge: { token: string; browser: string | null }, code: string) =>
  finishLogin(site.context, { challenge, code, device: null }, somewhere())
const withCode = (name: string, code: string) =>
  login(site.context, { name, password: PASSWORD, device: null, code }, somewhere())

describe('turning it on', () => {
  test('turning it on needs the password, and sign-in requires no code before the first one was shown', async () => {
    const { username } = await newPerson(site)
    const { person } = await signedIn(site, username)
    const refused = await setUpTotp(site.context, { person, password: 'guess', code: undefined }, somewhere())
    expect(refused).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    const setup = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
    const secret = setup.ok ? setup.secret : ''
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    await signedIn(site, username)
    expect(await turnTotpOn(site.context, { person, code: '000000' }, somewhere())).toEqual({
      ok: false,
      code: 'WRONG_CODE',
    })
    expect(await readFactors(site.context.db, person.userId)).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    const code = await codeAt(secret, site.clock.now())
    const on = await turnTotpOn(site.context, { person, code }, somewhere())
    expect(on).toMatchObject({ ok: true, recoveryCodes: expect.any(Array) })
    expect(await readFactors(site.context.db, person.userId)).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
  })

  test('turning it on ends every session opened with the password alone, except the current one', async () => {
    const { username } = await newPerson(site)
    const older = await signedIn(site, username)
    const { person, tokens } = await signedIn(site, username)
    const setup = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
    const code = await codeAt(setup.ok ? setup.secret : '', site.clock.now())
    const on = await turnTotpOn(site.context, { person, code }, somewhere())
    expect(on).toMatchObject({ endedSessions: [older.tokens.subject.sessionId] })
    expect(await isSignedIn(older.tokens.accessToken)).toBe(false)
    expect(await refreshSession(site.context, older.tokens.refreshToken)).toMatchObject({ ok: false })
    expect(await isSignedIn(tokens.accessToken)).toBe(true)
    expect(await refreshSession(site.context, tokens.refreshToken)).toMatchObject({ ok: true })
  })

  test('of 40 concurrent confirmations one counts, and none blocks connections needed by the others', async () => {
    const { username } = await newPerson(site)
    const { person } = await signedIn(site, username)
    const setup = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
    const code = await codeAt(setup.ok ? setup.secret : '', site.clock.now())
    // More at once than the pool has connections, each from an address of its own.
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => turnTotpOn(site.context, { person, code }, somewhere())),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('a second setup is refused, so that a thief cannot replace the app', async () => {
    const { person, secret } = await personWithTotp(site)
    const answer = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
    expect(answer).toEqual({ ok: false, code: 'FACTOR_ON' })
    expect(await codeAt(secret, site.clock.now())).toMatch(/^[0-9]{6}$/)
  })

  test('the secret is never in plain text in the database, and survives a key rotation', async () => {
    const { userId, username, secret, code } = await personWithTotp(site)
    const read = () =>
      site.context.db.query<{ sealed_secret: string }>('select sealed_secret from identity.totp where user_id = $1', [
        userId,
      ])
    const [before] = await read()
    expect(Buffer.from(before?.sealed_secret.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain(secret)
    const sealer = () => createSealer(site.parts)
    await rotateKeys({ ...site.parts, sealer, olderSecret: SEAL_SECRET })
    expect((await read())[0]?.sealed_secret).not.toBe(before?.sealed_secret)
    expect(await withCode(username, await code())).toMatchObject({ ok: true })
  })

  test('a secret moved to another row does not open', async () => {
    const [attacker, victim] = [await personWithTotp(site), await personWithTotp(site)]
    await site.context.db.query(
      `update identity.totp set sealed_secret = (select sealed_secret from identity.totp where user_id = $1) where user_id = $2`,
      [attacker.userId, victim.userId],
    )
    await expect(withCode(victim.username, await attacker.code())).rejects.toThrow('does not open')
  })
})

describe('signing in', () => {
  test('the right password alone returns no token, only a challenge (case 1)', async () => {
    const { username } = await personWithTotp(site)
    const before = await site.context.db.query('select 1 from identity.sessions')
    const answer = await login(site.context, { name: username, password: PASSWORD, device: null }, somewhere())
    expect(answer).toMatchObject({ ok: false, code: 'OTP_REQUIRED', factors: { totp: true, passkeys: 0 } })
    expect(JSON.stringify(answer)).not.toMatch(/accessToken|refreshToken/)
    expect(await site.context.db.query('select 1 from identity.sessions')).toHaveLength(before.length)
  })

  test('a wrong password never leads to a code', async () => {
    const { username, code } = await personWithTotp(site)
    const attempt = { name: username, password: 'guess', device: null, code: await code() }
    expect(await login(site.context, attempt, somewhere())).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
    expect(await withCode(username, await code())).toMatchObject({ ok: true })
  })

  test('the challenge and a code sign in, once', async () => {
    const { username, code } = await personWithTotp(site)
    const challenge = await begin(username)
    expect(await finish(challenge, '000000')).toEqual({ ok: false, code: 'INVALID_CODE' })
    const answer = await finish(challenge, await code())
    expect(answer.ok && (await isSignedIn(answer.tokens.accessToken))).toBe(true)
    site.clock.advance(STEP_MS)
    expect(await finish(challenge, await code())).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
  })

  test('neither half of a challenge is an access token or a refresh token (case 3)', async () => {
    const { username } = await personWithTotp(site)
    const { token, browser } = await begin(username)
    for (const half of [token, browser]) {
      expect(await isSignedIn(half)).toBe(false)
      expect(await refreshSession(site.context, half)).toEqual({ ok: false, code: 'UNAUTHENTICATED' })
    }
  })

  test('a challenge of another browser, of another person or of five minutes ago is refused (case 10)', async () => {
    const [alice, bob] = [await personWithTotp(site), await personWithTotp(site)]
    const [ofAlice, ofBob] = [await begin(alice.username), await begin(bob.username)]
    const code = await alice.code()
    const expired = { ok: false, code: 'TOKEN_EXPIRED' }
    expect(await finish({ token: ofAlice.token, browser: null }, code)).toEqual(expired)
    expect(await finish({ token: ofAlice.token, browser: ofBob.browser }, code)).toEqual(expired)
    // Bob's challenge asks for Bob's code, whatever Alice has.
    expect(await finish(ofBob, code)).toEqual({ ok: false, code: 'INVALID_CODE' })
    site.clock.advance(301_000)
    expect(await finish(ofAlice, await alice.code())).toEqual(expired)
  })

  test('a challenge from before a password change is refused', async () => {
    const { userId, username, code } = await personWithTotp(site)
    const challenge = await begin(username)
    site.clock.advance(1_000)
    await site.context.db.query('update identity.credentials set changed_at = $2 where user_id = $1', [
      userId,
      new Date(site.clock.now()),
    ])
    expect(await finish(challenge, await code())).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
  })

  test('a challenge allows five wrong codes', async () => {
    const { username, code } = await personWithTotp(site)
    const challenge = await begin(username)
    for (let at = 0; at < 5; at += 1) expect(await finish(challenge, '000000')).toMatchObject({ code: 'INVALID_CODE' })
    expect(await finish(challenge, await code())).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
  })

  test('no code opens a session without the central check', async () => {
    const { userId } = await personWithTotp(site)
    await expect(openSession(site.context, { userId, factor: null }, somewhere())).rejects.toThrow(FactorMissing)
  })

  test('a session inserted without the factor is invalid', async () => {
    const { userId, username } = await newPerson(site)
    const { tokens } = await signedIn(site, username)
    const secret = 'x'.repeat(40)
    await site.context.db.query(
      `insert into identity.totp (user_id, sealed_secret, created_at, confirmed_at) values ($1, $2, now(), now())`,
      [userId, secret],
    )
    expect(await isSignedIn(tokens.accessToken)).toBe(false)
    expect(await refreshSession(site.context, tokens.refreshToken)).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
    await site.context.db.query('delete from identity.totp where user_id = $1', [userId])
    // The refresh ended it: it does not come back to life when the factor is gone.
    expect(await isSignedIn(tokens.accessToken)).toBe(false)
  })
})

describe('a code', () => {
  test('of 20 concurrent uses of a code one counts (case 7)', async () => {
    const { username, code } = await personWithTotp(site)
    const shown = await code()
    const answers = await Promise.all(Array.from({ length: 20 }, () => withCode(username, shown)))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
  })

  test('a used code and any older one are refused for as long as its step lasts (case 7)', async () => {
    const { username, secret } = await personWithTotp(site)
    const at = site.clock.now()
    const [older, present] = [await codeAt(secret, at - STEP_MS), await codeAt(secret, at)]
    expect(await withCode(username, present)).toMatchObject({ ok: true })
    expect(await withCode(username, present)).toEqual({ ok: false, code: 'INVALID_CODE' })
    expect(await withCode(username, older)).toEqual({ ok: false, code: 'INVALID_CODE' })
  })

  test('a code may be one step early or late, and not two', async () => {
    const { username, secret } = await personWithTotp(site)
    site.clock.advance(10 * STEP_MS)
    const codeOf = (steps: number) => codeAt(secret, site.clock.now() + steps * STEP_MS)
    for (const steps of [-2, 2]) {
      expect(await withCode(username, await codeOf(steps))).toEqual({ ok: false, code: 'INVALID_CODE' })
    }
    for (const steps of [-1, 0, 1]) expect(await withCode(username, await codeOf(steps))).toMatchObject({ ok: true })
  })

  test.each(['', '12345', '1234567', 'abcdef', '１２３４５６', "1' or '1", '0'.repeat(32)])(
    '%j is not a code',
    async (code) => {
      const { username } = await personWithTotp(site)
      const answer = await finish(await begin(username), code)
      expect(answer).toEqual({ ok: false, code: 'INVALID_CODE' })
    },
  )
})

describe('recovery codes', () => {
  test('recovery codes sign in once each, in any typed form, and also in parallel (case 8)', async () => {
    const { username, userId, recoveryCodes } = await personWithTotp(site)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = '', second = ''] = recoveryCodes
    const answers = await Promise.all(Array.from({ length: 20 }, () => withCode(username, first)))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    const typed = second.toUpperCase().replaceAll('-', ' ')
    expect(await withCode(username, typed)).toMatchObject({ ok: true })
    expect(await readFactors(site.context.db, userId)).toMatchObject({ recoveryCodesLeft: 8 })
  })

  test('recovery codes are stored as hashes bound to the person', async () => {
    const [one, other] = [await personWithTotp(site), await personWithTotp(site)]
    const rows = await site.context.db.query<{ text: string }>('select t::text as text from identity.recovery_codes t')
    const code = one.recoveryCodes[0] ?? ''
    expect(rows.filter(({ text }) => text.includes(code.replaceAll('-', '')))).toEqual([])
    expect(await withCode(other.username, code)).toEqual({ ok: false, code: 'INVALID_CODE' })
  })

  test('recovery codes are replaced all at once, after re-authentication', async () => {
    const { username, person, recoveryCodes, code } = await personWithTotp(site)
    const proof = { person, password: PASSWORD, code: await code() }
    const wrong = await renewRecoveryCodes(site.context, { ...proof, password: 'guess' }, somewhere())
    expect(wrong).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    const renewed = await renewRecoveryCodes(site.context, proof, somewhere())
    expect(await withCode(username, recoveryCodes[0] ?? '')).toEqual({ ok: false, code: 'INVALID_CODE' })
    expect(await withCode(username, (renewed.ok && renewed.recoveryCodes[0]) || '')).toMatchObject({ ok: true })
  })
})

describe('turning it off', () => {
  test('turning it off needs the password and, after ten minutes, a code (case 11)', async () => {
    const { person, username, code } = await personWithTotp(site)
    site.clock.advance(11 * 60_000)
    const off = (password: string, shown?: string) =>
      turnTotpOff(site.context, { person, password, code: shown }, somewhere())
    expect(await off('guess', await code())).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await off(PASSWORD)).toEqual({ ok: false, code: 'CODE_NEEDED' })
    expect(await off(PASSWORD, '000000')).toEqual({ ok: false, code: 'WRONG_CODE' })
    expect(await off(PASSWORD, await code())).toEqual({ ok: true })
    expect(await readFactors(site.context.db, person.userId)).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    await signedIn(site, username)
  })

  test('within ten minutes of a sign-in with the factor the password is enough', async () => {
    const { person } = await personWithTotp(site)
    expect(await turnTotpOff(site.context, { person, password: PASSWORD, code: undefined }, somewhere())).toEqual({
      ok: true,
    })
  })
})

describe('limits', () => {
  test('recovery codes allow 20 attempts an hour, from all addresses together', async () => {
    const { username } = await personWithTotp(site)
    const answers = []
    for (let at = 0; at < 25; at += 1) answers.push(await withCode(username, 'aaaa-bbbb-cccc-dddd'))
    expect(answers.filter((answer) => !answer.ok && answer.code === 'INVALID_CODE')).toHaveLength(20)
  })

  test('the owner signs in from the known device meanwhile (ASVS 6.1.1)', async () => {
    const { username, code } = await personWithTotp(site)
    const first = await withCode(username, await code())
    const device = first.ok ? first.device : null
    for (let at = 0; at < 25; at += 1) await withCode(username, '000000')
    site.clock.advance(STEP_MS)
    expect(await withCode(username, await code())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const attempt = { name: username, password: PASSWORD, device, code: await code() }
    expect(await login(site.context, attempt, somewhere())).toMatchObject({ ok: true })
  })
})
