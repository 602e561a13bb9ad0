import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askForEmailChange, confirmEmailChange, undoEmailChange } from '../../../src/identity/accounts/change-email.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { readMailbox } from '../../../src/identity/people/people.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { askForReset, resetPassword } from '../../../src/identity/accounts/reset-password.ts'
import { isSessionAlive } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'

const DAY_MS = 86_400_000
const password = 'correct horse battery'
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets'))

let people = 0
const origin = { address: '10.7.0.1', userAgent: 'test' }
const person = async () => {
  people += 1
  const names = { username: `mover${people}`, email: `mover${people}@example.test` }
  const answer = await register(
    site.context,
    { ...names, password, language: 'hu' },
    { ...origin, address: `10.7.${people}.1` },
  )
  if (!answer.ok) throw new Error(answer.code)
  const session = await login(site.context, { name: names.username, password, device: null }, origin)
  if (!session.ok) throw new Error(session.code)
  return { ...names, subject: session.tokens.subject, next: `new-${names.email}` }
}
type Person = Awaited<ReturnType<typeof person>>
const ask = ({ subject }: Person, email: string, given = password) =>
  askForEmailChange(
    site.context,
    { person: { ...subject, device: null }, email, password: given, requestId: 'request-1' },
    origin,
  )
const confirmToken = async (email: string) => tokenOf(await mails.newest('email-change', email))
const undoToken = async (email: string) => tokenOf(await mails.newest('email-change-notice', email))
const emailOf = async ({ subject }: Person) => {
  const mailbox = await readMailbox(site.context.db, subject.userId)
  return mailbox && { email: mailbox.email, verified: mailbox.verified }
}
const INVALID = { ok: false, code: 'LINK_INVALID' }

describe('a change of the e-mail address', () => {
  test('T73: it is confirmed at the new address; until then the old one stays', async () => {
    const anna = await person()
    expect(await ask(anna, anna.next.toUpperCase())).toEqual({ ok: true })
    expect(await emailOf(anna)).toEqual({ email: anna.email, verified: false })
    const token = await confirmToken(anna.next)
    const answer = { ok: true, userId: anna.subject.userId, email: anna.next }
    expect(await confirmEmailChange(site.context, token)).toEqual(answer)
    expect(await emailOf(anna)).toEqual({ email: anna.next, verified: true })
    expect(await confirmEmailChange(site.context, token)).toEqual(INVALID)
  })

  test('it needs the password', async () => {
    const anna = await person()
    expect(await ask(anna, anna.next, 'a guess')).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await mails.all('email-change', anna.next)).toEqual([])
  })

  test('a taken address gets the same response and mail; only its owner can learn about it (case 15)', async () => {
    const [anna, bob] = [await person(), await person()]
    expect(await ask(anna, bob.email)).toEqual(await ask(await person(), 'free@example.test'))
    const answer = await confirmEmailChange(site.context, await confirmToken(bob.email))
    expect(answer).toEqual({ ok: false, code: 'EMAIL_TAKEN' })
    expect([await emailOf(anna), await emailOf(bob)]).toMatchObject([{ email: anna.email }, { email: bob.email }])
  })

  test('one address gets at most three mails an hour, however many people request it, and none of them learns that', async () => {
    const victim = 'flooded@example.test'
    for (let at = 0; at < 3; at += 1) {
      const one = await person()
      for (let times = 0; times < 5; times += 1) expect(await ask(one, victim)).toEqual({ ok: true })
    }
    expect(await mails.all('email-change', victim)).toHaveLength(3)
  })

  test('requested by two at once, it becomes one person’s', async () => {
    const pair = [await person(), await person()]
    const tokens = []
    for (const one of pair) {
      await ask(one, 'wanted@example.test')
      tokens.push(await confirmToken('wanted@example.test'))
    }
    const answers = await Promise.all(tokens.map((token) => confirmEmailChange(site.context, token)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('it must be confirmed within a day, and the newest request counts', async () => {
    const anna = await person()
    await ask(anna, 'first-wish@example.test')
    const first = await confirmToken('first-wish@example.test')
    await ask(anna, anna.next)
    expect(await confirmEmailChange(site.context, first)).toEqual(INVALID)
    const second = await confirmToken(anna.next)
    site.clock.advance(DAY_MS)
    expect(await confirmEmailChange(site.context, second)).toEqual(INVALID)
  })

  test('it cannot be confirmed after a change of the password, which locks a thief out', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const [token, undo] = [await confirmToken(anna.next), await undoToken(anna.email)]
    await askForReset(site.context, { email: anna.email, language: 'hu', requestId: '' }, origin)
    const link = tokenOf(await mails.newest('reset', anna.email))
    expect(await resetPassword(site.context, { token: link, password: 'long enough' }, origin)).toMatchObject({
      ok: true,
    })
    expect(await confirmEmailChange(site.context, token)).toEqual(INVALID)
    expect(await emailOf(anna)).toMatchObject({ email: anna.email })
    expect(await undoEmailChange(site.context, undo)).toMatchObject({ ok: true, email: anna.email })
  })

  test('it voids the links sent to the old address', async () => {
    const anna = await person()
    await askForReset(site.context, { email: anna.email, language: 'hu', requestId: '' }, origin)
    const link = tokenOf(await mails.newest('reset', anna.email))
    await ask(anna, anna.next)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    expect(
      await resetPassword(
        site.context,
        { token: link, password: 'long enough' },
        { address: '10.9.9.9', userAgent: 'test' },
      ),
    ).toEqual(INVALID)
  })
})

describe('the old address (case 25)', () => {
  test('it is notified at once, and undoes a confirmed change: all sessions end', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    site.clock.advance(7 * DAY_MS - 1)
    expect(await undoEmailChange(site.context, undo)).toMatchObject({ ok: true, email: anna.email })
    expect(await emailOf(anna)).toEqual({ email: anna.email, verified: true })
    expect(await isSessionAlive(site.context, anna.subject)).toBe(false)
    expect(await undoEmailChange(site.context, undo)).toEqual(INVALID)
  })

  test('it undoes an unconfirmed change, which can then not be confirmed', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    expect(await undoEmailChange(site.context, await undoToken(anna.email))).toMatchObject({ ok: true })
    expect(await confirmEmailChange(site.context, await confirmToken(anna.next))).toEqual(INVALID)
    expect(await emailOf(anna)).toMatchObject({ email: anna.email })
  })

  test('it undoes every later change', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    await ask(anna, 'further@example.test')
    const undoOfThief = await undoToken(anna.next)
    await confirmEmailChange(site.context, await confirmToken('further@example.test'))
    expect(await undoEmailChange(site.context, undo)).toMatchObject({ ok: true, email: anna.email })
    expect(await undoEmailChange(site.context, undoOfThief)).toEqual(INVALID)
    expect(await emailOf(anna)).toMatchObject({ email: anna.email })
  })

  test('it is taken from an account that only entered it meanwhile, and not from one that verified it', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    const squatter = {
      username: `squatter${people}`,
      email: anna.email.toUpperCase(),
      password,
      language: 'en' as const,
    }
    const entered = await register(site.context, squatter, { ...origin, address: '10.7.200.1' })
    const userId = entered.ok ? entered.userId : ''
    const confirmed = (is: boolean) =>
      site.context.db.query('update public.users set verified = $2 where id = $1', [userId, is])
    await confirmed(true)
    expect(await undoEmailChange(site.context, undo)).toEqual({ ok: false, code: 'EMAIL_TAKEN' })
    await confirmed(false)
    expect(await undoEmailChange(site.context, undo)).toMatchObject({ ok: true, email: anna.email })
    expect(await emailOf(anna)).toEqual({ email: anna.email, verified: true })
    expect(await readMailbox(site.context.db, userId)).toMatchObject({ email: anna.email, isTheirs: false })
  })

  test('it undoes a change that is being confirmed at that moment', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    const third = [anna.subject.userId, `third-${anna.email}`]
    await ask(anna, third[1] ?? '')
    const { db } = site.context
    let undoing: Promise<unknown> = Promise.resolve()
    await db.transaction(async (tx) => {
      await tx.query(
        'update identity.email_changes set confirmed_at = created_at where user_id = $1 and new_email = $2',
        third,
      )
      await tx.query('update public.users set email = $2 where id = $1', third)
      undoing = undoEmailChange(site.context, undo)
      const waiting = () =>
        db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      await expect.poll(waiting).toHaveLength(1)
    })
    expect(await undoing).toMatchObject({ ok: true, email: anna.email })
    expect(await emailOf(anna)).toMatchObject({ email: anna.email })
  })

  test('it undoes nothing once staff have changed the address', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    await confirmEmailChange(site.context, await confirmToken(anna.next))
    const given = `given-${anna.email}`
    await site.context.db.query('update public.users set email = $2 where id = $1', [anna.subject.userId, given])
    expect(await undoEmailChange(site.context, undo)).toEqual(INVALID)
    expect(await emailOf(anna)).toMatchObject({ email: given })
  })

  test('it has seven days', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    const undo = await undoToken(anna.email)
    site.clock.advance(7 * DAY_MS)
    expect(await undoEmailChange(site.context, undo)).toEqual(INVALID)
  })

  test('its link confirms nothing, and the link to the new address undoes nothing', async () => {
    const anna = await person()
    await ask(anna, anna.next)
    expect(await confirmEmailChange(site.context, await undoToken(anna.email))).toEqual(INVALID)
    expect(await undoEmailChange(site.context, await confirmToken(anna.next))).toEqual(INVALID)
  })
})
