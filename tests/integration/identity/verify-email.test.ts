import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readMailbox } from '../../../src/identity/people/people.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { resendEmailCode, verifyEmail } from '../../../src/identity/accounts/verify-email.ts'
import { up as verifyPeople } from '../../../src/cms/migrations/20261121_113000_verified_people.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { openMailbox } from '../../support/site-mails.ts'

const MINUTE_MS = 60_000
let site: TestIdentity
let mails: ReturnType<typeof openMailbox>
beforeAll(async () => {
  site = await createIdentity()
  mails = openMailbox(site)
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('truncate identity.limit_buckets'))

let people = 0
const person = async (language: 'en' | 'hu' | 'de' = 'hu') => {
  people += 1
  const names = { username: `reader${people}`, email: `Reader${people}@Example.test` }
  const origin = { address: `10.3.${people}.1`, userAgent: 'test' }
  const registration = { ...names, password: 'correct horse battery', language, requestId: 'request-1' }
  const answer = await register(site.context, registration, origin)
  if (!answer.ok) throw new Error(answer.code)
  return { userId: answer.userId, email: names.email.toLowerCase(), address: origin.address }
}
const codeTo = async (email: string) => (await mails.newest('verify', email)).code
const verify = (userId: string, code: string, email?: string) => verifyEmail(site.context, { userId, code, email })
const isVerified = async (userId: string) => (await readMailbox(site.context.db, userId))?.verified
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')
const INVALID = { ok: false, code: 'INVALID_CODE' }

describe('the code that proves an e-mail address', () => {
  test('the code is sent at registration in the person’s language, and verifies the address once', async () => {
    const { userId, email } = await person('de')
    const order = (await mails.collect()).find(({ to }) => to === email)
    expect(order).toMatchObject({ language: 'de', content: { kind: 'verify', params: { minutes: 10 } } })
    expect(Date.parse(order?.expiresAt ?? '') - site.clock.now()).toBe(10 * MINUTE_MS)
    expect(await isVerified(userId)).toBe(false)
    const code = await codeTo(email)
    expect(await verify(userId, code)).toEqual({ ok: true })
    expect(await isVerified(userId)).toBe(true)
    expect(await site.context.db.query('select 1 from identity.email_codes where user_id = $1', [userId])).toEqual([])
  })

  test('the code is stored as a keyed hash', async () => {
    const { userId, email } = await person()
    const [row] = await site.context.db.query<{ row: string }>(
      'select code::text as row from identity.email_codes code where user_id = $1',
      [userId],
    )
    expect(row?.row).not.toContain(await codeTo(email))
  })

  test('the code is useless to another person', async () => {
    const [alice, bob] = [await person(), await person()]
    expect(await verify(bob.userId, await codeTo(alice.email))).toEqual(INVALID)
    expect(await isVerified(bob.userId)).toBe(false)
  })

  test('the code expires after ten minutes (case 24)', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    site.clock.advance(10 * MINUTE_MS)
    expect(await verify(userId, code)).toEqual(INVALID)
  })

  test('the code allows five attempts, and the right one afterwards is refused (case 24)', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    for (let tries = 0; tries < 5; tries += 1) expect(await verify(userId, otherThan(code))).toEqual(INVALID)
    expect(await verify(userId, code)).toEqual(INVALID)
  })

  test('of 50 concurrent attempts no more than five are compared', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    const guesses = Array.from({ length: 49 }, () => verify(userId, otherThan(code)))
    await Promise.all(guesses)
    const [row] = await site.context.db.query<{ tries: number }>(
      'select tries from identity.email_codes where user_id = $1',
      [userId],
    )
    expect(row?.tries).toBe(5)
    expect(await verify(userId, code)).toEqual(INVALID)
  })

  test('entered twenty times at once the code verifies once, without an error for anybody', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    await Promise.all(Array.from({ length: 20 }, () => verify(userId, code)))
    expect(await isVerified(userId)).toBe(true)
    expect(await verify(userId, code)).toEqual({ ok: true })
  })

  test('a replaced code verifies nothing, even if it was read before', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    const { context } = site
    site.clock.advance(61_000)
    const db: typeof context.db = {
      ...context.db,
      transaction: async (work) => {
        const resent = await resendEmailCode(context, { userId, address: '10.3.0.1', requestId: 'r' })
        expect(resent).toMatchObject({ ok: true })
        return context.db.transaction(work)
      },
    }
    expect(await verifyEmail({ ...context, db }, { userId, code })).toEqual(INVALID)
    expect(await isVerified(userId)).toBe(false)
    expect(await verify(userId, await codeTo(email))).toEqual({ ok: true })
  })

  test('the code proves only the address to which it was sent', async () => {
    const { userId, email } = await person()
    const code = await codeTo(email)
    expect(await verify(userId, code, 'somebody@else.test')).toEqual(INVALID)
    await site.context.db.query('update public.users set email = $2 where id = $1', [userId, `moved-${email}`])
    expect(await verify(userId, code)).toEqual(INVALID)
    expect(await isVerified(userId)).toBe(false)
  })
})

describe('a new code', () => {
  const resend = ({ userId, address }: { userId: string; address: string }) =>
    resendEmailCode(site.context, { userId, address, requestId: 'request-2' })

  test('a new code waits a minute after the first, says how long, and voids the old one', async () => {
    const anna = await person()
    const first = await codeTo(anna.email)
    expect(await resend(anna)).toEqual({ ok: false, code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 60 })
    site.clock.advance(20_000)
    expect(await resend(anna)).toMatchObject({ retryAfterSeconds: 40 })
    site.clock.advance(40_000)
    expect(await resend(anna)).toEqual({ ok: true, resendAfterSeconds: 60 })
    const second = await codeTo(anna.email)
    if (first !== second) expect(await verify(anna.userId, first)).toEqual(INVALID)
    expect(await verify(anna.userId, second)).toEqual({ ok: true })
  })

  test('a new code is sent three times in half an hour', async () => {
    const anna = await person()
    let sent = 0
    for (let minute = 0; minute < 30; minute += 1) {
      site.clock.advance(MINUTE_MS)
      if ((await resend(anna)).ok) sent += 1
    }
    expect(sent).toBe(3)
    expect(await resend(anna)).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('a new code is not sent to a verified person', async () => {
    const anna = await person()
    await verify(anna.userId, await codeTo(anna.email))
    expect(await resend(anna)).toEqual({ ok: false, code: 'ALREADY_VERIFIED' })
  })
})

test('accounts from before mails existed count as verified', async () => {
  const { userId } = await person()
  const execute = (query: { queryChunks: { value: string[] }[] }) =>
    site.context.db.query(query.queryChunks.flatMap(({ value }) => value).join(''))
  await verifyPeople({ db: { execute } } as never)
  expect(await isVerified(userId)).toBe(true)
})
