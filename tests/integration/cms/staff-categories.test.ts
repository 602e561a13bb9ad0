import { createLocalReq } from 'payload'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { staffCategories } from '../../../src/cms/admin/tickets/staff-categories.ts'
import { startCms, testFactorHeader, testUserHeader, type CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

const category = async (slug: string, active = true) =>
  (await cms.payload.create({ collection: 'ticket-categories', data: { slug, name: slug, active } })).id

const supporter = async (username: string, role: { active?: boolean; twoFactorRequired?: boolean; ids: string[] }) => {
  const { ids, ...flags } = role
  const data = { slug: username, name: username, isSupport: true, active: true, ...flags, ticketCategories: ids }
  const made = await cms.payload.create({ collection: 'roles', data })
  const person = { username, email: `${username}@example.com`, role: [made.id], verified: true }
  const { id } = await cms.payload.create({
    collection: 'users',
    data: { ...person, invoiceType: 'electronic', language: 'en' },
  })
  return id
}

/** What somebody with a session of this account sees, as the names of their own categories. */
const mineOf = async (userId: string, factor = false) => {
  const headers = new Headers({ host: 'site.test', [testUserHeader]: userId })
  if (factor) headers.set(testFactorHeader, 'yes')
  const { user } = await cms.payload.auth({ headers })
  if (user === null) throw new Error('the account has no session')
  const all = await staffCategories(await createLocalReq({ user }, cms.payload))
  return all.filter(({ isMine }) => isMine).map(({ name }) => name)
}

it('support works on the categories of its usable roles alone, and administrators on all', async () => {
  const [billing] = [await category('billing'), await category('technical'), await category('former', false)]
  expect(await mineOf(cms.ids.administrator)).toEqual(['billing', 'former', 'Sample', 'technical'])
  expect(await mineOf(cms.ids.support)).toEqual([])
  expect(await mineOf(await supporter('berta', { ids: [billing] }))).toEqual(['billing'])
  // A second role that does not count gives nothing, as in `cms_api.ticket_staff`.
  const careful = await supporter('cecil', { ids: [billing], twoFactorRequired: true })
  expect(await mineOf(careful, true)).toEqual(['billing'])
})

it.each(['customer', 'support without a second factor'])('a %s reads no category', async (who) => {
  const id =
    who === 'customer' ? cms.ids.customer : await supporter('daria', { ids: [], active: true, twoFactorRequired: true })
  await expect(mineOf(id)).rejects.toThrow(/not allowed/)
})
