import { handleEndpoints } from 'payload'
import type { Field, FieldAffectingData, PayloadRequest } from 'payload'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { wayOutOfAdmin } from '../../../src/cms/admin/way-out.ts'
import { startCms, testFactorHeader, testUserHeader } from './cms-harness.ts'
import type { CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
let administrator = ''
let support = ''
const roleOf = async (slug: string) =>
  (await cms.payload.find({ collection: 'roles', where: { slug: { equals: slug } } })).docs[0]?.id ?? ''

beforeAll(async () => {
  cms = await startCms()
  administrator = await roleOf('administrator')
  support = await roleOf('support')
})
afterAll(() => cms.close())

const newRole = async (slug: string, flags: { isAdmin?: boolean; isSupport?: boolean; active?: boolean }) =>
  (await cms.payload.create({ collection: 'roles', data: { slug, name: slug, active: true, ...flags } })).id

const newUser = async (username: string, role: string[]) => {
  const data = { username, email: `${username}@example.com`, role, verified: true }
  return (
    await cms.payload.create({ collection: 'users', data: { ...data, invoiceType: 'electronic', language: 'en' } })
  ).id
}

const sendAs = async (
  userId: string,
  route: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
) => {
  const [method = '', path = ''] = route.split(' ')
  const headers = { host: 'site.test', 'content-type': 'application/json', [testUserHeader]: userId, ...more.headers }
  const request = new Request(`http://site.test/api/cms${path}`, {
    method: method.toUpperCase(),
    headers,
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  })
  const response = await handleEndpoints({ config: cms.config, request })
  return { status: response.status, text: await response.text() }
}
/** The fields of this name, however deep in groups and tabs. */
const fieldsNamed = (fields: readonly Field[], name: string): FieldAffectingData[] =>
  fields.flatMap((field) => {
    if ('name' in field && field.name === name) return [field as FieldAffectingData]
    if (field.type === 'tabs') return field.tabs.flatMap((tab) => fieldsNamed(tab.fields, name))
    return 'fields' in field ? fieldsNamed(field.fields, name) : []
  })
const rolesOfUser = async (id: string) => (await cms.payload.findByID({ collection: 'users', id, depth: 0 })).role

describe('nobody edits their own role', () => {
  it.each([{ twoFactorRequired: true }, { isAdmin: false }, { active: false }, { name: 'Other' }])(
    'an administrator does not make it %j',
    async (body) => {
      const before = await cms.payload.findByID({ collection: 'roles', id: administrator })
      const answer = await cms.send('administrator', `patch /roles/${administrator}`, body)
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('one of your own roles')])
      expect(await cms.payload.findByID({ collection: 'roles', id: administrator })).toEqual(before)
    },
  )

  it('the refusal is in the language of the admin', async () => {
    const headers = { 'accept-language': 'hu' }
    const sent = { body: { name: 'Más' }, headers }
    expect((await sendAs(cms.ids.administrator, `patch /roles/${administrator}`, sent)).text).toContain(
      'saját szerepköröd',
    )
  })

  it('an administrator may edit another role', async () => {
    expect((await cms.send('administrator', `patch /roles/${support}`, { name: 'Helpers' })).status).toBe(200)
    expect(await cms.payload.findByID({ collection: 'roles', id: support })).toMatchObject({ name: 'Helpers' })
  })

  it('support edits no role at all', async () => {
    for (const id of [administrator, support]) {
      const before = await cms.payload.findByID({ collection: 'roles', id })
      expect((await cms.send('support', `patch /roles/${id}`, { isAdmin: true })).status).toBe(403)
      expect(await cms.payload.findByID({ collection: 'roles', id })).toEqual(before)
    }
  })
})

describe('a higher role', () => {
  const isHigher = { status: 409, text: expect.stringContaining('This role is higher than yours.') as string }
  /** As if the access rules let support in: the rules of roles hold by themselves. */
  const asIfSupportMight = async <Result>(slug: 'roles' | 'users', act: () => Promise<Result>): Promise<Result> => {
    const { access, fields } = cms.payload.collections[slug].config
    const open = ({ req }: { req: PayloadRequest }) => req.user !== null
    const opened = [access, ...fieldsNamed(fields, 'role').map((field) => (field.access ??= {}))]
    const before = opened.map((rules) => ({ ...rules }))
    for (const rules of opened) Object.assign(rules, { update: open, delete: open, read: open })
    try {
      return await act()
    } finally {
      opened.forEach((rules, at) => Object.assign(rules, before[at]))
    }
  }

  it('is not changed, deleted, raised to, given or taken by support, over HTTP', async () => {
    const [plain, spare] = [await newRole('plain', {}), await newRole('spare-chief', { isAdmin: true })]
    const unused = await newRole('unused-chief', { isAdmin: true })
    const [person, chief] = [await newUser('climber', []), await newUser('chief', [spare])]
    const before = await cms.payload.find({ collection: 'roles', where: { id: { in: [plain, spare, unused] } } })
    const answers = [
      ...(await asIfSupportMight('roles', async () => [
        await cms.send('support', `patch /roles/${spare}`, { name: 'Mine' }),
        await cms.send('support', `patch /roles/${plain}`, { isAdmin: true }),
        await cms.send('support', `delete /roles/${unused}`),
      ])),
      ...(await asIfSupportMight('users', async () => [
        await cms.send('support', `patch /users/${person}`, { role: [spare] }),
        await cms.send('support', `patch /users/${chief}`, { role: [] }),
      ])),
    ]
    for (const answer of answers) expect(answer).toMatchObject(isHigher)
    expect(await cms.payload.find({ collection: 'roles', where: { id: { in: [plain, spare, unused] } } })).toEqual(
      before,
    )
    expect([await rolesOfUser(person), await rolesOfUser(chief)]).toEqual([[], [spare]])
    await cms.payload.update({ collection: 'users', id: chief, data: { role: [] } })
  })

  it('is not one of equal rank: support may give a support role', async () => {
    const [helper, person] = [await newRole('helper', { isSupport: true }), await newUser('newcomer', [])]
    const patch = () => cms.send('support', `patch /users/${person}`, { role: [helper] })
    const open = () => asIfSupportMight('roles', () => asIfSupportMight('users', patch))
    expect([(await open()).status, await rolesOfUser(person)]).toEqual([200, [helper]])
    const other = await newUser('newcomer-of-nobody', [])
    const refused = await cms.send('support', `patch /users/${other}`, { role: [helper] })
    expect([refused.status, await rolesOfUser(other)]).toEqual([403, []])
  })
})

describe('an inactive role', () => {
  it('cannot be given, and people who have it may keep it', async () => {
    const fading = await newRole('fading', {})
    const user = await newUser('keeper', [fading])
    await cms.payload.update({ collection: 'roles', id: fading, data: { active: false } })
    const other = await newUser('asker', [])
    expect((await cms.send('administrator', `patch /users/${other}`, { role: [fading] })).status).toBe(409)
    expect(await rolesOfUser(other)).toEqual([])
    expect((await cms.send('administrator', `patch /users/${user}`, { verified: false })).status).toBe(200)
    expect(await rolesOfUser(user)).toEqual([fading])
  })
})

describe('the last administrator', () => {
  it('is kept, whoever removes the role', async () => {
    const id = cms.ids.administrator
    await expect(cms.payload.update({ collection: 'users', id, data: { role: [] } })).rejects.toThrow(
      'No administrator would be left',
    )
    for (const data of [{ active: false }, { isAdmin: false }]) {
      await expect(cms.payload.update({ collection: 'roles', id: administrator, data })).rejects.toThrow(
        'No administrator would be left',
      )
    }
    expect(await rolesOfUser(id)).toEqual([administrator])
    expect((await cms.payload.findByID({ collection: 'roles', id: administrator })).active).toBe(true)
  })

  it.each([
    ['suspended', 'UPDATE users SET suspended = true WHERE id = $1'],
    ['leaving', `UPDATE users SET account_state = 'leaving' WHERE id = $1`],
    ['erased', `UPDATE users SET account_state = 'erased' WHERE id = $1`],
  ])('is the one who remains beside one who is %s', async (what, statement) => {
    const away = await newUser(`away-${what}`, [administrator])
    const id = cms.ids.administrator
    const takeAway = () => cms.payload.update({ collection: 'users', id, data: { role: [] } })
    try {
      await cms.payload.db.pool.query(statement, [away])
      await expect(takeAway()).rejects.toThrow('No administrator would be left')
      expect(await rolesOfUser(id)).toEqual([administrator])
      // Present, the other one is enough.
      await cms.payload.db.pool.query(`UPDATE users SET suspended = false, account_state = 'active' WHERE id = $1`, [
        away,
      ])
      await takeAway()
    } finally {
      await cms.payload.update({ collection: 'users', id, data: { role: [administrator] } })
      await cms.payload.update({ collection: 'users', id: away, data: { role: [] } })
    }
  })

  it('cannot be suspended', async () => {
    const id = cms.ids.administrator
    await expect(cms.payload.update({ collection: 'users', id, data: { suspended: true } })).rejects.toThrow(
      'No administrator would be left',
    )
    expect((await cms.payload.findByID({ collection: 'users', id })).suspended).not.toBe(true)
  })

  const atOnce = [
    ['take the role from one another', { role: [] }],
    ['suspend one another', { suspended: true }],
  ] as const

  it.each(atOnce)('is one of two who %s at once', async (what, body) => {
    const mark = what.slice(0, 4)
    const chief = await newRole(`chief-${mark}`, { isAdmin: true })
    await cms.payload.update({ collection: 'users', id: cms.ids.administrator, data: { role: [administrator] } })
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [
        await newUser(`one-${mark}${round}`, [chief]),
        await newUser(`other-${mark}${round}`, [chief]),
      ]
      // Only these two are administrators: the third has no active role.
      await cms.payload.db.pool.query('UPDATE roles SET active = false WHERE id = $1', [administrator])
      const answers = await Promise.all([
        sendAs(one, `patch /users/${other}`, { body }),
        sendAs(other, `patch /users/${one}`, { body }),
      ])
      const both = await cms.payload.find({ collection: 'users', where: { id: { in: [one, other] } }, depth: 0 })
      const left = both.docs.filter(({ role, suspended }) => role?.length === 1 && suspended !== true)
      expect([answers.map(({ status }) => status).sort(), left.length]).toEqual([
        [200, expect.toBeOneOf([403, 409])],
        1,
      ])
      await cms.payload.db.pool.query('UPDATE roles SET active = true WHERE id = $1', [administrator])
      for (const id of [one, other]) await cms.payload.update({ collection: 'users', id, data: { role: [] } })
    }
  })
})

describe('a role that requires a second factor', () => {
  it('grants nothing in the CMS until its person has one', async () => {
    const guarded = await newRole('guarded', { isAdmin: true })
    await cms.payload.update({ collection: 'roles', id: guarded, data: { twoFactorRequired: true } })
    const id = await newUser('guarded', [guarded])
    expect((await sendAs(id, 'get /roles')).status).toBe(403)
    expect((await sendAs(id, `patch /users/${cms.ids.stranger}`, { body: { verified: true } })).status).toBe(403)
    expect((await sendAs(id, 'get /roles', { headers: { [testFactorHeader]: '1' } })).status).toBe(200)
    const wayOut = async (headers: Record<string, string>) =>
      wayOutOfAdmin((await cms.payload.auth({ headers: new Headers({ [testUserHeader]: id, ...headers }) })).user)
    expect(await wayOut({})).toBe('/dashboard/settings/security#factor')
    expect(await wayOut({ [testFactorHeader]: '1' })).toBeNull()
  })
})
