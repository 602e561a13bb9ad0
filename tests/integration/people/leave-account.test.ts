import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { undoByChallenge, undoByLink } from '../../../src/identity/accounts/leave-account.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { isSessionAlive, refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { balanceOf } from '../../factories/shop.ts'
import { openWholeSite } from '../../factories/whole-site.ts'
import type { WholeSite } from '../../factories/whole-site.ts'
import { somewhere } from '../../support/people.ts'
import { tokenOf } from '../../support/site-mails.ts'

const DAY_MS = 86_400_000
let rig: WholeSite
beforeAll(async () => {
  rig = await openWholeSite()
})
afterAll(() => rig.close())
beforeEach(() => rig.site.context.db.query('truncate identity.limit_buckets'))

describe('requesting a deletion', () => {
  test('a deletion needs the password', async () => {
    const anna = await rig.person()
    expect(await rig.leave(anna, { password: 'a guess' })).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await rig.stateOf(anna)).toEqual({ shown: 'active', state: null })
  })

  test('a deletion is refused with servers and money, until they are forfeited with the displayed amount', async () => {
    const anna = await rig.person({ lived: true })
    await rig.control.query(`update control.servers set desired_power = 'running' where owner_id = $1`, [anna.userId])
    expect(await rig.figuresOf(anna)).toMatchObject({ balanceFt: 5_000, servers: [{ isRunning: true }] })
    expect(await rig.leaveWithEverything(anna)).toEqual({ ok: false, code: 'SERVERS_RUNNING' })
    await rig.control.query(`update control.servers set desired_power = 'stopped' where owner_id = $1`, [anna.userId])
    expect(await rig.leave(anna)).toEqual({ ok: false, code: 'SERVERS_NOT_GIVEN_UP' })
    expect(await rig.leave(anna, { servers: true, balanceFt: 4_999 })).toEqual({
      ok: false,
      code: 'BALANCE_NOT_WAIVED',
    })
    expect(await rig.stateOf(anna)).toEqual({ shown: 'active', state: null })
    expect(await rig.leaveWithEverything(anna)).toMatchObject({ ok: true })
    expect(await rig.leaveWithEverything(anna)).toEqual({ ok: false, code: 'INVALID_STATE' })
  })

  test('a customer in debt cannot delete the account until it is paid, and the erasure waits for a later debt', async () => {
    const anna = await rig.person()
    const ledger = rig.context().ledgerOn(rig.control)
    const { userId } = anna
    await ledger.post(moves.owe(userId, 700n))
    expect(await rig.figuresOf(anna)).toMatchObject({ balanceFt: 0, debtFt: 700 })
    expect(await rig.leave(anna)).toEqual({ ok: false, code: 'DEBT_UNPAID' })
    expect(await rig.leaveWithEverything(anna)).toEqual({ ok: false, code: 'DEBT_UNPAID' })
    expect(await rig.stateOf(anna)).toEqual({ shown: 'active', state: null })
    await ledger.post(moves.forgive(userId, 700n))
    expect(await rig.leave(anna)).toMatchObject({ ok: true })
    await ledger.post(moves.owe(userId, 300n))
    rig.site.clock.advance(15 * DAY_MS)
    await rig.erase()
    expect(await rig.stateOf(anna)).toEqual({ shown: 'leaving', state: 'leaving' })
    await ledger.post(moves.forgive(userId, 300n))
    await rig.erase()
    expect((await rig.stateOf(anna))?.shown).toBe('erased')
  })

  test('a deletion is refused while a refund to its source is pending, however long that takes', async () => {
    const anna = await rig.person()
    const [paymentId, refundId] = [systemIds.next(), systemIds.next()]
    const asked = new Date(rig.site.clock.now() - 10 * DAY_MS)
    await rig.control.query(
      `insert into control.payments (id, user_id, provider, provider_payment_id, amount_ft, state, return_url, terms_accepted_at,
         address, locale, request_id, next_check_at, created_at, updated_at)
       values ($1, $2, 'stripe', 'pi_leaver', 5000, 'settled', 'https://x.test', $3, '', 'en', 'r', $3, $3, $3)`,
      [paymentId, anna.userId, asked],
    )
    await rig.control.query(
      `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, next_check_at,
         request_id, created_at, updated_at) values ($1, $2, $3, 'stripe', 5000, 'Asked for.', $3, 'infinity', 'r', $4, $4)`,
      [refundId, paymentId, anna.userId, asked],
    )
    for (const state of ['requested', 'pending']) {
      await rig.control.query('update control.refunds set state = $2 where id = $1', [refundId, state])
      expect(await rig.figuresOf(anna)).toMatchObject({ openOrders: 0, openPayments: 1 })
      expect(await rig.leaveWithEverything(anna)).toEqual({ ok: false, code: 'ORDERS_OPEN' })
    }
    await rig.control.query(`update control.refunds set state = 'succeeded' where id = $1`, [refundId])
    expect(await rig.leave(anna)).toMatchObject({ ok: true })
  })

  test('a deletion ends access at once, everywhere, and no sign-in restores it', async () => {
    const anna = await rig.person()
    const other = await rig.signIn(anna.username)
    if (!other.ok) throw new Error(other.code)
    const answer = await rig.leave(anna)
    expect(answer).toMatchObject({ ok: true, eraseAt: new Date(rig.site.clock.now() + 14 * DAY_MS) })
    expect(answer.ok && answer.endedSessions).toHaveLength(2)
    for (const { tokens } of [anna, other]) expect(await isSessionAlive(rig.site.context, tokens.subject)).toBe(false)
    expect(await refreshSession(rig.site.context, anna.tokens.refreshToken)).toMatchObject({ ok: false })
    expect(await rig.signIn(anna.username)).toMatchObject({ ok: false, code: 'ACCOUNT_LEAVING' })
    expect(await rig.signIn(anna.email)).toMatchObject({ ok: false, code: 'ACCOUNT_LEAVING' })
    expect(await rig.stateOf(anna)).toEqual({ shown: 'leaving', state: 'leaving' })
  })

  test('a wrong password reveals nothing about it', async () => {
    const anna = await rig.person()
    await rig.leave(anna)
    const attempt = { name: anna.username, password: 'a guess', device: null }
    expect(await login(rig.site.context, attempt, somewhere())).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
  })

  test('the last administrator stays, even when two leave at once', async () => {
    const pair = [await rig.person(), await rig.person()]
    const { db, ids } = rig.site.context
    const role = ids.next()
    await db.query(`insert into public.roles (id, name, slug, is_admin, active) values ($1, $2, $2, true, true)`, [
      role,
      role,
    ])
    for (const { userId } of pair)
      await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [
        userId,
        role,
      ])
    let leaving: Promise<Awaited<ReturnType<typeof rig.leave>>[]> = Promise.resolve([])
    await db.transaction(async (tx) => {
      // A change of roles holds this lock: both wait for it, and then go one after the other.
      await tx.query(`select pg_advisory_xact_lock(hashtext('administrators'))`)
      leaving = Promise.all(pair.map((one) => rig.leave(one)))
      const waiting = () =>
        db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and wait_event = 'advisory'`,
        )
      await expect.poll(waiting).toHaveLength(2)
    })
    const answers = await leaving
    expect(answers.map((answer) => (answer.ok ? 'left' : answer.code)).sort()).toEqual(['LAST_ADMINISTRATOR', 'left'])
    await db.query('delete from public.users_rels where roles_id = $1', [role])
  })
})

describe('cancelling a deletion', () => {
  test('the mail’s link cancels it, once; it opens no session, and everything is as before', async () => {
    const anna = await rig.person({ lived: true })
    const before = await balanceOf(rig.control, anna.userId)
    await rig.leaveWithEverything(anna)
    const mail = await rig.mails.newest('account-deletion', anna.email)
    expect(mail.at).toBe(new Date(rig.site.clock.now() + 14 * DAY_MS).toISOString())
    const token = tokenOf(mail)
    expect(await undoByLink(rig.site.context, 'x'.repeat(43), somewhere())).toEqual({ ok: false, code: 'LINK_INVALID' })
    expect(await undoByLink(rig.site.context, token, somewhere())).toEqual({ ok: true, userId: anna.userId })
    expect(await undoByLink(rig.site.context, token, somewhere())).toEqual({ ok: false, code: 'LINK_INVALID' })
    expect(await rig.stateOf(anna)).toEqual({ shown: 'active', state: null })
    expect(await isSessionAlive(rig.site.context, anna.person)).toBe(false)
    expect(await rig.signIn(anna.username)).toMatchObject({ ok: true })
    rig.site.clock.advance(15 * DAY_MS)
    await rig.erase()
    expect(await rig.stateOf(anna)).toEqual({ shown: 'active', state: null })
    expect(await balanceOf(rig.control, anna.userId)).toEqual(before)
  })

  test('the challenge of a sign-in cancels it, in the browser that got it', async () => {
    const anna = await rig.person()
    await rig.leave(anna)
    const answer = await rig.signIn(anna.username)
    if (answer.ok || answer.code !== 'ACCOUNT_LEAVING') throw new Error('not leaving')
    const { token, browser } = answer.challenge
    const invalid = { ok: false, code: 'LINK_INVALID' }
    expect(await undoByChallenge(rig.site.context, { token, browser: null }, somewhere())).toEqual(invalid)
    expect(await undoByChallenge(rig.site.context, { token, browser: 'y'.repeat(43) }, somewhere())).toEqual(invalid)
    expect(await undoByChallenge(rig.site.context, { token, browser }, somewhere())).toEqual({
      ok: true,
      userId: anna.userId,
    })
    expect(await rig.signIn(anna.username)).toMatchObject({ ok: true })
  })

  test('it can be cancelled until the job has run, and never afterwards', async () => {
    const anna = await rig.person()
    await rig.leave(anna)
    const token = tokenOf(await rig.mails.newest('account-deletion', anna.email))
    rig.site.clock.advance(14 * DAY_MS - 1)
    await rig.erase()
    expect(await rig.stateOf(anna)).toEqual({ shown: 'leaving', state: 'leaving' })
    rig.site.clock.advance(1)
    await rig.erase()
    expect(await rig.stateOf(anna)).toEqual({ shown: 'erased', state: 'erased' })
    expect(await undoByLink(rig.site.context, token, somewhere())).toEqual({ ok: false, code: 'LINK_INVALID' })
    expect(await rig.signIn(anna.username)).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
  })
})
