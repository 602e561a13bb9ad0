import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const CHANGE = 'PATCH /api/user/me'
let site: OpenSite
const people: Record<'anna' | 'bela', { headers: Record<string, string>; id: string }> = {
  anna: { headers: {}, id: '' },
  bela: { headers: {}, id: '' },
}

const rowOf = async (id: string) =>
  (await site.identity.db.query<Record<string, unknown>>('select * from public.users where id = $1', [id]))[0] ?? {}

beforeAll(async () => {
  site = await openSite()
  for (const username of ['anna', 'bela'] as const) {
    const person = { username, email: `${username}@example.test`, acceptTerms: true }
    await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
    const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
    const headers = { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
    const [row] = await site.identity.db.query<{ id: string }>('select id from public.users where username = $1', [
      username,
    ])
    people[username] = { headers, id: row?.id ?? '' }
  }
})
afterAll(() => site.close())

const contact = {
  firstName: 'Anna',
  lastName: 'Kovács',
  streetAndHouseNumber: 'Fő utca 1.',
  postalCode: '1051',
  city: 'Budapest',
  phoneNumber: '+36 30 123 4567',
}

test('submitted fields are tidied and stored, and omitted ones stay', async () => {
  const { headers } = people.anna
  const first = await site.ask(CHANGE, { headers, body: { contact, invoiceType: 'receipt', timeZone: 'asia/tokyo' } })
  expect(first.status).toBe(200)
  const second = await site.ask(CHANGE, { headers, body: { contact: { city: '  Győr ', phoneNumber: '' } } })
  const expected = {
    contact: { ...contact, city: 'Győr', phoneNumber: '' },
    billing: { country: 'HU', company: '', taxNumber: '' },
    invoiceType: 'receipt',
    language: 'en',
    timeZone: 'Asia/Tokyo',
  }
  expect(second.json).toEqual(expected)
  expect((await site.ask('GET /api/user/me', { headers })).json).toMatchObject(expected)
})

test('a new account has only the fields of its form (case 35)', async () => {
  const names = { username: 'climber', email: 'climber@example.test', acceptTerms: true }
  const wish = {
    id: people.bela.id,
    userId: people.bela.id,
    verified: true,
    emailVerified: true,
    suspended: false,
    premium: 'ultimus',
    role: [{ isAdmin: 1 }],
    roles: ['admin'],
    isAdmin: 1,
    balance: 1_000_000,
    identifier: 'aaaaaaaa',
    tenant: 'x',
    createdAt: '2001-01-01T00:00:00Z',
    accountState: 'erased',
    passwordHash: 'x',
    contact: { city: 'Pécs' },
  }
  const body = { ...wish, ...names, password: PASSWORD, passwordConfirm: PASSWORD }
  expect((await site.ask('POST /api/auth/register', { body })).status).toBe(201)
  const [row] = await site.identity.db.query<Record<string, unknown>>(
    'select * from public.users where username = $1',
    [names.username],
  )
  expect(row).toMatchObject({ email: names.email, verified: false, contact_city: null, account_state: 'active' })
  expect(row?.['id']).not.toBe(people.bela.id)
  expect(row?.['identifier']).not.toBe('aaaaaaaa')
  expect(new Date(String(row?.['created_at'])).getFullYear()).toBeGreaterThan(2_001)
  expect(await site.identity.db.query(`select 1 from public.users_rels where path = 'role'`)).toEqual([])
})

test('no other field, and nobody else’s row, can be changed', async () => {
  const [anna, bela] = [await rowOf(people.anna.id), await rowOf(people.bela.id)]
  const body = {
    id: people.bela.id,
    userId: people.bela.id,
    username: 'root',
    email: 'x@example.test',
    verified: true,
    role: [{ isAdmin: 1 }],
    roles: ['admin'],
    isAdmin: 1,
    suspended: true,
    balance: 1_000_000,
    spinCount: 99,
    premium: 'ultimus',
    profilePictureId: 'a'.repeat(32),
    identifier: 'aaaaaaaa',
    twoFactor: false,
    contact_first_name: 'x',
    'contact.firstName': 'x',
    maskedContact: 'x',
    createdAt: '2020-01-01T00:00:00Z',
    contact: { userId: people.bela.id, email: 'x@example.test', firstName: 'Anna' },
  }
  const withProto = JSON.parse(`${JSON.stringify(body).slice(0, -1)},"__proto__":{"verified":true}}`) as unknown
  for (const sent of [body, withProto]) {
    const { status } = await site.ask(CHANGE, { headers: people.anna.headers, body: sent })
    expect(status).toBe(200)
  }
  const { updated_at: _, ...now } = await rowOf(people.anna.id)
  const { updated_at: _before, ...before } = anna
  expect(now).toEqual({ ...before, contact_first_name: 'Anna' })
  expect(await rowOf(people.bela.id)).toEqual(bela)
  expect((await site.identity.db.query(`select 1 from public.users_rels where path = 'role'`)).length).toBe(0)
})

test.each([
  [{ contact: { firstName: 'A\nB' } }, 'contact.firstName'],
  [{ contact: { firstName: 'a'.repeat(61) } }, 'contact.firstName'],
  [{ contact: { phoneNumber: '12' } }, 'contact.phoneNumber'],
  [{ contact: { postalCode: '<1>' } }, 'contact.postalCode'],
  [{ contact: { city: null } }, 'contact.city'],
  [{ contact: { city: ['Budapest'] } }, 'contact.city'],
  [{ billing: { country: 'Hungary' } }, 'billing.country'],
  [{ billing: { country: 'XX' } }, 'billing.country'],
  [{ billing: { taxNumber: '<script>' } }, 'billing.taxNumber'],
  [{ billing: { taxNumber: '1'.repeat(21) } }, 'billing.taxNumber'],
  [{ billing: { company: 'A\u202EB' } }, 'billing.company'],
  [{ billing: { company: 'a'.repeat(121) } }, 'billing.company'],
  [{ billing: { company: null } }, 'billing.company'],
  [{ invoiceType: 'none' }, 'invoiceType'],
  [{ language: 'fr' }, 'language'],
  [{ timeZone: 'Mars/Base' }, 'timeZone'],
  [{ timeZone: '+01:00' }, 'timeZone'],
])('%j is refused with the name of its field, and nothing is stored', async (wrong, field) => {
  const before = await rowOf(people.bela.id)
  const body = { language: 'de', timeZone: 'UTC', invoiceType: 'receipt', ...wrong }
  const { status, json } = await site.ask(CHANGE, { headers: people.bela.headers, body })
  expect(status).toBe(400)
  expect(Object.keys(ErrorBody.parse(json).error.fields ?? {})).toEqual([field])
  expect(await rowOf(people.bela.id)).toEqual(before)
})

test('the billing profile is tidied, stored, and cleared by an empty text', async () => {
  const { headers } = people.anna
  const written = { country: 'de', company: ' ACME GmbH ', taxNumber: 'de 136-695 976' }
  const { json } = await site.ask(CHANGE, { headers, body: { billing: written } })
  const kept = { country: 'DE', company: 'ACME GmbH', taxNumber: 'DE 136-695 976' }
  expect(json).toMatchObject({ billing: kept })
  expect((await site.ask('GET /api/user/me', { headers })).json).toMatchObject({ billing: kept })
  const { json: emptied } = await site.ask(CHANGE, { headers, body: { billing: { company: '', taxNumber: '' } } })
  expect(emptied).toMatchObject({ billing: { country: 'DE', company: '', taxNumber: '' } })
  await site.ask(CHANGE, { headers, body: { billing: { country: 'HU' } } })
})

test('a chosen language is stored with the account, in the site’s cookie and in the admin’s', async () => {
  const { headers, id } = people.bela
  const { cookies } = await site.ask(CHANGE, { headers, body: { language: 'hu' } })
  const rest = '; Path=/; Max-Age=31536000; SameSite=Lax; Secure'
  expect(cookies).toEqual([`i18n=hu${rest}`, `payload-lng=hu${rest}`])
  expect((await rowOf(id))['language']).toBe('hu')
  const { cookies: none } = await site.ask(CHANGE, { headers, body: { timeZone: 'UTC' } })
  expect(none).toEqual([])
})

test('mails are sent in the chosen language', async () => {
  const { headers, id } = people.anna
  await site.ask(CHANGE, { headers, body: { language: 'de' } })
  const { readMailbox } = await import('../../../src/identity/people/people.ts')
  expect((await readMailbox(site.identity.db, id))?.language).toBe('de')
})

test('the control plane’s view contains the invoice recipient', async () => {
  await site.ask(CHANGE, { headers: people.anna.headers, body: { contact, invoiceType: 'receipt' } })
  const [row] = await site.identity.db.query('select * from cms_api.invoice_contacts where id = $1', [people.anna.id])
  expect(row).toEqual({
    id: people.anna.id,
    invoice_type: 'receipt',
    first_name: 'Anna',
    last_name: 'Kovács',
    street_and_house_number: 'Fő utca 1.',
    postal_code: '1051',
    city: 'Budapest',
    country: 'HU',
    company: '',
    tax_number: '',
  })
})

test('too large a body is not read', async () => {
  const row = () => site.identity.db.query('select * from public.users where id = $1', [people.anna.id])
  const before = await row()
  const body = { city: 'Szeged', note: 'x'.repeat(9_000) }
  const { status, json } = await site.ask(CHANGE, { headers: people.anna.headers, body })
  expect([status, ErrorBody.parse(json).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(await row()).toEqual(before)
})

test('a change is logged, and a read is not', async () => {
  const count = async () =>
    (
      await site.identity.db.query(`select 1 from identity.activities where type = 'account.data' and user_id = $1`, [
        people.bela.id,
      ])
    ).length
  const before = await count()
  await site.ask(CHANGE, { headers: people.bela.headers, body: { timeZone: 'UTC' } })
  expect(await count()).toBe(before)
  await site.ask(CHANGE, { headers: people.bela.headers, body: { contact: { city: 'Pécs' } } })
  expect(await count()).toBe(before + 1)
})
