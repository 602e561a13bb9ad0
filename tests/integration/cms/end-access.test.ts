import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startCms } from './cms-harness.ts'
import type { CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

let names = 0
const newRole = async (flags: { isAdmin?: boolean; isSupport?: boolean; active?: boolean }) => {
  names += 1
  const slug = `role${names}`
  return (await cms.payload.create({ collection: 'roles', data: { slug, name: slug, active: true, ...flags } })).id
}
const newUser = async (role: string[]) => {
  names += 1
  const username = `person${names}`
  const data = { username, email: `${username}@example.com`, role, verified: true }
  const made = { collection: 'users', data: { ...data, invoiceType: 'electronic', language: 'en' } } as const
  const { id } = await cms.payload.create(made)
  await cms.payload.db.pool.query(
    `insert into identity.sessions (id, user_id, created_at, last_used_at, expires_at, address, user_agent)
     values ($1, $2, now(), now(), now() + interval '1 day', '192.0.2.1', 'test')`,
    [randomUUID(), id],
  )
  return id
}
const giveFactor = (id: string) =>
  cms.payload.db.pool.query(
    `insert into identity.totp (user_id, sealed_secret, created_at, confirmed_at) values ($1, 'x', now(), now())`,
    [id],
  )
/** Why the person's session ended, or null while it lives. */
const reason = async (id: string): Promise<string | null> =>
  (await cms.payload.db.pool.query('select end_reason from identity.sessions where user_id = $1', [id])).rows[0]
    .end_reason

let role = ''
let holder = ''
let other = ''
beforeEach(async () => {
  role = await newRole({ isAdmin: true })
  holder = await newUser([role])
  other = await newUser([])
})

it('a person whose role is removed is logged out everywhere, and nobody else', async () => {
  expect((await cms.send('administrator', `patch /users/${holder}`, { role: [] })).status).toBe(200)
  expect([await reason(holder), await reason(other)]).toEqual(['role removed', null])
})

it('a suspended person is logged out everywhere', async () => {
  expect((await cms.send('administrator', `patch /users/${other}`, { suspended: true })).status).toBe(200)
  expect([await reason(holder), await reason(other)]).toEqual([null, 'account suspended'])
})

it.each([{ active: false }, { isAdmin: false }])('a role changed to %j logs its people out', async (body) => {
  expect((await cms.send('administrator', `patch /roles/${role}`, body)).status).toBe(200)
  expect([await reason(holder), await reason(other)]).toEqual(['role changed', null])
})

it('a person without a second factor is logged out when their role starts to require one', async () => {
  const proven = await newUser([role])
  await giveFactor(proven)
  expect((await cms.send('administrator', `patch /roles/${role}`, { twoFactorRequired: true })).status).toBe(200)
  expect([await reason(holder), await reason(proven)]).toEqual(['role changed', null])
})

/** Opens the form of the first user, as another administrator's browser does. */
const lockFor = (user: string) =>
  cms.payload.db.create({
    collection: 'payload-locked-documents',
    data: {
      document: { relationTo: 'users', value: other },
      user: { relationTo: 'users', value: user },
    },
  })

it.each([
  ['loses the role', () => cms.send('administrator', `patch /users/${holder}`, { role: [] })],
  ['is suspended', () => cms.send('administrator', `patch /users/${holder}`, { suspended: true })],
  ['has a role that is no longer active', () => cms.send('administrator', `patch /roles/${role}`, { active: false })],
])('the lock of an administrator who %s ends', async (_title, change) => {
  await lockFor(holder)
  const edit = () => cms.send('administrator', `patch /users/${other}`, { verified: true })
  expect((await edit()).status).toBe(423)
  expect((await change()).status).toBe(200)
  expect((await edit()).status).toBe(200)
})

it('a locked document is refused in the language of the reader', async () => {
  await lockFor(holder)
  for (const [language, text] of [
    ['en', 'Someone else is editing this'],
    ['hu', 'Ezt most valaki más szerkeszti'],
    ['de', 'Das bearbeitet gerade jemand anderes'],
  ] as const) {
    const reader = { person: 'administrator', language } as const
    const answer = await cms.send(reader, `patch /users/${other}`, { verified: true })
    expect([answer.status, answer.text]).toEqual([423, expect.stringContaining(text)])
  }
})

it('a person who loses nothing stays logged in', async () => {
  const more = await newRole({ isSupport: true })
  expect((await cms.send('administrator', `patch /users/${holder}`, { role: [role, more] })).status).toBe(200)
  expect((await cms.send('administrator', `patch /roles/${role}`, { name: 'Another name' })).status).toBe(200)
  expect((await cms.send('administrator', `patch /users/${holder}`, { verified: false })).status).toBe(200)
  expect(await reason(holder)).toBeNull()
})

it('a refused change ends no session', async () => {
  const administrator = cms.ids.administrator
  await cms.payload.db.pool.query('update users set suspended = true where id <> $1', [administrator])
  await expect(
    cms.payload.update({ collection: 'users', id: administrator, data: { suspended: true } }),
  ).rejects.toThrow('No administrator would be left')
  expect((await cms.payload.findByID({ collection: 'users', id: administrator })).suspended).toBe(false)
  await cms.payload.db.pool.query('update users set suspended = false')
})

it('nobody suspends themselves, and only administrators suspend', async () => {
  const own = await cms.send('administrator', `patch /users/${cms.ids.administrator}`, { suspended: true })
  expect([own.status, own.json()['doc']]).toEqual([200, expect.objectContaining({ suspended: false })])
  expect((await cms.send('support', `patch /users/${other}`, { suspended: true })).status).toBe(403)
  expect(await reason(other)).toBeNull()
})
