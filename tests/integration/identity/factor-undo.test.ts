import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askForEmailChange, confirmEmailChange, undoEmailChange } from '../../../src/identity/accounts/change-email.ts'
import { changePassword } from '../../../src/identity/accounts/change-password.ts'
import { setUpTotp, turnTotpOn } from '../../../src/identity/factors/factor-setup.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { answerResetRequests, askForReset, resetPassword } from '../../../src/identity/accounts/reset-password.ts'
import { readFactors } from '../../../src/identity/sessions/second-factor.ts'
import { tellOfChange } from '../../../src/identity/mails/security-mails.ts'
import { sweepProofs } from '../../../src/identity/accounts/sweep-proofs.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, signedIn, somewhere } from '../../support/people.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'
import { codeAt } from '../../support/totp-code.ts'

const NEW = 'a password that the thief does not know'
const DAY_MS = 86_400_000
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())

/** An owner whose address is confirmed, and a thief with the password and a session. */
const robbed = async () => {
  const { userId, username } = await newPerson(site, 'robbed')
  await site.context.db.query('update public.users set verified = true where id = $1', [userId])
  const { person } = await signedIn(site, username)
  return { userId, username, person, email: `${username}@example.test` }
}
type Robbed = Awaited<ReturnType<typeof robbed>>

const addApp = async ({ person, email }: Robbed) => {
  const setup = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
  if (!setup.ok) throw new Error(setup.code)
  const code = await codeAt(setup.secret, site.clock.now())
  expect(await turnTotpOn(site.context, { person, code }, somewhere())).toMatchObject({ ok: true })
  return tokenOf(await mails.newest('security-change', email))
}
/** A passkey as the database has it. The answer of an authenticator is another test's matter. */
const addPasskey = async ({ userId }: Robbed) => {
  const { db, ids, clock } = site.context
  await db.query(
    `insert into identity.passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up, created_at)
     values ($1::uuid, $2, $1::text, '', 0, '', 'Key', false, $3)`,
    [ids.next(), userId, new Date(clock.now())],
  )
}
const reset = (token: string, password = NEW) => resetPassword(site.context, { token, password }, somewhere())
const factorsOf = ({ userId }: Robbed) => readFactors(site.context.db, userId)
const INVALID = { ok: false, code: 'LINK_INVALID' }

describe('a second factor added by a thief', () => {
  test('the link in the notification mail removes it, with the password, the sessions and everything added after it', async () => {
    const owner = await robbed()
    const token = await addApp(owner)
    await addPasskey(owner)
    expect(await reset(token)).toEqual({ ok: true, userId: owner.userId })
    expect(await factorsOf(owner)).toMatchObject({ totp: false, passkeys: 0, recoveryCodesLeft: 0 })
    const open = await site.context.db.query(
      'select 1 from identity.sessions where user_id = $1 and ended_at is null',
      [owner.userId],
    )
    expect(open).toEqual([])
    const attempt = { name: owner.username, password: NEW, device: null }
    expect(await login(site.context, attempt, somewhere())).toMatchObject({ ok: true })
    const told = (await mails.all('security-change', owner.email)).map(({ change }) => change)
    expect(told).toEqual(['app-on', 'app-off', 'passkey-removed', 'password'])
  })

  test('an ordinary reset does not remove it (case 2), but its mail leads to the link', async () => {
    const owner = await robbed()
    await addPasskey(owner)
    await askForReset(site.context, { email: owner.email, language: 'en', requestId: 'r' }, somewhere())
    await answerResetRequests(site.context)
    expect(await reset(tokenOf(await mails.newest('reset', owner.email)))).toMatchObject({ ok: true })
    expect(await factorsOf(owner)).toMatchObject({ passkeys: 1 })
    expect(await reset(tokenOf(await mails.newest('security-change', owner.email)), 'and another one')).toMatchObject({
      ok: true,
    })
    expect(await factorsOf(owner)).toMatchObject({ passkeys: 0 })
  })

  test('it is removed even if the thief changed the password and the address since', async () => {
    const owner = await robbed()
    const token = await addApp(owner)
    const change = { person: owner.person, currentPassword: PASSWORD, password: 'of the thief, long enough' }
    expect(await changePassword(site.context, change, somewhere())).toMatchObject({ ok: true })
    const wish = { person: owner.person, email: 'thief@example.test', password: 'of the thief, long enough' }
    await askForEmailChange(site.context, { ...wish, requestId: 'r' }, somewhere())
    await confirmEmailChange(site.context, tokenOf(await mails.newest('email-change', 'thief@example.test')))
    // As long as the address is the thief's, what was sent to the older one proves nothing about the account.
    expect(await reset(token)).toEqual(INVALID)
    await undoEmailChange(site.context, tokenOf(await mails.newest('email-change-notice', owner.email)))
    expect(await reset(token)).toMatchObject({ ok: true })
    expect(await factorsOf(owner)).toMatchObject({ totp: false })
  })
})

describe('the link', () => {
  test('the link works once, even twenty times at once, and voids all others', async () => {
    const owner = await robbed()
    const older = await addApp(owner)
    const newer = tokenOf({ path: await laterPath(owner) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => reset(newer)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await reset(older)).toEqual(INVALID)
  })

  test('the link leaves a factor of more than seven days alone, and does not exist without a new one', async () => {
    const owner = await robbed()
    const token = await addApp(owner)
    site.clock.advance(6 * DAY_MS)
    await addPasskey(owner)
    site.clock.advance(2 * DAY_MS)
    expect(await reset(token)).toEqual(INVALID)
    const path = await laterPath(owner)
    expect(await mails.newest('security-change', owner.email)).toMatchObject({ takesFactorsAway: true })
    expect(await reset(tokenOf({ path }))).toMatchObject({ ok: true })
    expect(await factorsOf(owner)).toMatchObject({ totp: true, passkeys: 0 })
    site.clock.advance(8 * DAY_MS)
    expect(await laterPath(owner)).toBe('/auth/passwordreset')
    expect(await mails.newest('security-change', owner.email)).toMatchObject({ takesFactorsAway: false })
    await sweepProofs(site.context.db, site.clock)
    const left = await site.context.db.query('select 1 from identity.factor_undo_links where user_id = $1', [
      owner.userId,
    ])
    expect(left).toEqual([])
  })

  test('the link of a mail removes every factor of the last seven days, and lasts seven days from the newest one', async () => {
    const [early, late] = [await robbed(), await robbed()]
    const paths: Record<string, string> = {}
    for (const owner of [early, late]) await addApp(owner)
    site.clock.advance(3 * DAY_MS)
    for (const owner of [early, late]) {
      await addPasskey(owner)
      paths[owner.userId] = await laterPath(owner)
    }
    site.clock.advance(3 * DAY_MS)
    expect(await reset(tokenOf({ path: paths[early.userId] ?? '' }))).toMatchObject({ ok: true })
    expect(await factorsOf(early)).toMatchObject({ totp: false, passkeys: 0 })
    site.clock.advance(3 * DAY_MS)
    expect(await reset(tokenOf({ path: paths[late.userId] ?? '' }))).toMatchObject({ ok: true })
    expect(await factorsOf(late)).toMatchObject({ passkeys: 0 })
  })

  test('the link is not sent to an unverified address', async () => {
    const owner = await robbed()
    await site.context.db.query('update public.users set verified = false where id = $1', [owner.userId])
    expect(await addApp(owner)).toBe('')
  })
})

/** Where the next mail about the login of the account leads. */
const laterPath = async ({ userId, email }: Robbed) => {
  const change = { userId, change: 'recovery-codes', origin: somewhere() } as const
  await site.context.db.transaction((tx) => tellOfChange(tx, site.context, change))
  return (await mails.newest('security-change', email)).path
}
