import { handleEndpoints } from 'payload'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CmsHarness, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness

beforeAll(async () => {
  cms = await startCms()
})

afterAll(() => cms.close())

describe('an administrator', () => {
  // One at a time: together, what refuses one of them would hide that another went through.
  it.each([
    { verified: false },
    { email: 'other@example.com' },
    { suspended: true },
    { username: 'other' },
    { identifier: 'aaaaaaaa' },
    { accountState: 'erased' },
  ])('cannot change %j of their own account (case 35)', async (attempt) => {
    const own = cms.ids.administrator
    const read = () => cms.payload.findByID({ collection: 'users', id: own, depth: 0 })
    const before = await read()
    await cms.send('administrator', `patch /users/${own}`, attempt)
    expect({ ...(await read()), updatedAt: before.updatedAt }).toEqual(before)
  })

  it("cannot give themselves a role beside the administrator's (case 35)", async () => {
    const own = cms.ids.administrator
    const roleOf = async (slug: string) =>
      (await cms.payload.find({ collection: 'roles', where: { slug: { equals: slug } } })).docs[0]?.id
    const role = [await roleOf('administrator'), await roleOf('support')]
    await cms.send('administrator', `patch /users/${own}`, { role })
    const after = await cms.payload.findByID({ collection: 'users', id: own, depth: 0 })
    expect(after.role).toEqual([role[0]])
  })

  it.each([
    ['as JSON', 200],
    ['as a form', 200],
    ['by dotted names', 400],
    ['in lists', 200],
    ['as JSON in a text', 200],
  ])('cannot set a system field, for somebody else either, %s (case 35)', async (how, status) => {
    const id = cms.ids.stranger
    const wish: Record<string, unknown> = {
      id: cms.ids.customer,
      username: 'taken',
      identifier: 'aaaaaaaa',
      accountState: 'erased',
      maskedContact: 'x',
      hash: 'x',
      salt: 'x',
      apiKey: 'x',
      enableAPIKey: true,
      sessions: [{ id: 'x' }],
      createdAt: '2001-01-01T00:00:00.000Z',
      resetPasswordToken: 'x',
      loginAttempts: 9,
      lockUntil: '2030-01-01T00:00:00.000Z',
      _verified: true,
      balance: 1_000_000,
      credit: 1,
      premium: 'ultimus',
      spinCount: 9,
      roles: ['x'],
      isAdmin: true,
      tenant: 'x',
    }
    const changed = {
      'by dotted names': { ...wish, 'accountState.0': 'erased', 'users.username': 'taken', 'role.0.isAdmin': true },
      'in lists': Object.fromEntries(Object.entries(wish).map(([name, value]) => [name, [value]])),
      'as JSON in a text': Object.fromEntries(
        Object.entries(wish).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    }
    const body = JSON.stringify(changed[how as keyof typeof changed] ?? wish)
    const form = new FormData()
    form.set('_payload', body)
    const rows = async () =>
      (
        await cms.payload.db.pool.query(
          `SELECT to_jsonb(person) - 'updated_at' AS row FROM users person WHERE id = ANY ($1) ORDER BY id`,
          [[id, cms.ids.customer]],
        )
      ).rows
    const before = await rows()
    const request = new Request(`http://site.test/api/cms/users/${id}`, {
      method: 'PATCH',
      headers: {
        'x-test-user': cms.ids.administrator,
        host: 'site.test',
        ...(how === 'as a form' ? {} : { 'content-type': 'application/json' }),
      },
      body: how === 'as a form' ? form : body,
    })
    expect((await handleEndpoints({ config: cms.config, request })).status).toBe(status)
    expect(await rows()).toEqual(before)
  })
})
