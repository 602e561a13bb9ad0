import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

let site: OpenSite
let headers: Record<string, string>
let userId: string
beforeAll(async () => {
  site = await openSite()
  const names = { username: 'customer', email: 'customer@example.test' }
  const body = { ...names, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body })
  const signedIn = await site.ask('POST /api/auth/login', { body: { username: names.username, password: PASSWORD } })
  headers = { authorization: `Bearer ${TokenAnswer.parse(signedIn.json).access_token}` }
  const [row] = await site.identity.db.query<{ id: string }>('select id from public.users')
  userId = row?.id ?? ''
})
afterAll(() => site.close())

const setVersion = async (version: string) => {
  const { db, ids } = site.identity
  await db.query('delete from public.documents')
  await db.query('insert into public.documents (id, terms_version, privacy_version) values ($1, $2, $2)', [
    ids.next(),
    version,
  ])
}

const records = async () => {
  const rows = await site.identity.db.query<{ text: string; address: string; given_at: Date }>(
    `select document || ' ' || version as text, address, given_at from identity.consents where user_id = $1 order by id`,
    [userId],
  )
  expect(rows.every(({ address, given_at: at }) => address.startsWith('10.') && at instanceof Date)).toBe(true)
  return rows.map(({ text }) => text)
}

const topUp = (more: object = {}) =>
  site.ask('POST /api/balance/topup', {
    headers,
    body: { amount: 5_000, method: 'sandbox', acceptTerms: true, ...more },
  })
const order = (more: object = {}) =>
  site.ask('POST /api/orders', {
    headers: { ...headers, 'idempotency-key': 'order-of-the-test' },
    body: { serviceId: userId, months: 1, name: 'Server', ...more },
  })
const codeOf = ({ json }: { json: Record<string, unknown> }) => (json['error'] as { code?: string } | undefined)?.code

// Nobody answers as the control plane here: what reaches it has passed, and is recorded.
const PASSED = 'CONTROL_PLANE_UNAVAILABLE'

test('registration, top-up and order record the consent, with version, time and address', async () => {
  expect(await records()).toEqual(['terms of service 1', 'privacy policy 1'])
  expect(codeOf(await topUp())).toBe(PASSED)
  expect(codeOf(await order())).toBe(PASSED)
  expect((await records()).slice(2)).toEqual(['terms of service 1', 'terms of service 1', 'immediate start 1'])
})

test('without a consent nothing is recorded', async () => {
  const before = await records()
  await topUp({ acceptTerms: false })
  expect(await records()).toEqual(before)
})

test('changed terms are shown again at the next top-up, by version, and once', async () => {
  await setVersion('2')
  const before = await records()
  const refused = await topUp()
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { error: { code: 'TERMS_CHANGED', params: { version: '2' } } },
  ])
  expect(codeOf(await topUp({ termsVersion: '1' }))).toBe('TERMS_CHANGED')
  expect(await records()).toEqual(before)
  expect(codeOf(await topUp({ termsVersion: '2' }))).toBe(PASSED)
  expect((await records()).slice(before.length)).toEqual(['terms of service 2'])
  expect(codeOf(await topUp())).toBe(PASSED)
})

test('changed terms are shown again at the next order', async () => {
  await setVersion('3')
  const before = await records()
  expect(codeOf(await order())).toBe('TERMS_CHANGED')
  expect(codeOf(await order({ termsVersion: '3' }))).toBe(PASSED)
  expect((await records()).slice(before.length)).toEqual(['terms of service 3', 'immediate start 3'])
})
