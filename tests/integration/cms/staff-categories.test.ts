import { createLocalReq } from 'payload'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listedCategories } from '../../../src/cms/admin/tickets/categories/listed-categories.ts'
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

type Role = {
  readonly ids: string[]
  readonly isSupport?: boolean
  readonly active?: boolean
  readonly twoFactorRequired?: boolean
}

const supporter = async (username: string, ...roles: readonly Role[]) => {
  const held: string[] = []
  for (const [at, { ids, isSupport = true, twoFactorRequired = false }] of roles.entries()) {
    const name = `${username}-${at}`
    const data = { slug: name, name, isSupport, twoFactorRequired, active: true, ticketCategories: ids }
    held.push((await cms.payload.create({ collection: 'roles', data })).id)
  }
  const person = { username, email: `${username}@example.com`, role: held, verified: true }
  const { id } = await cms.payload.create({
    collection: 'users',
    data: { ...person, invoiceType: 'electronic', language: 'en' },
  })
  // Only an active role can be given.
  for (const [at, { active = true }] of roles.entries())
    await cms.payload.update({ collection: 'roles', id: held[at] ?? '', data: { active } })
  return id
}

const requestOf = async (userId: string, factor = false) => {
  const headers = new Headers({ host: 'site.test', [testUserHeader]: userId })
  if (factor) headers.set(testFactorHeader, 'yes')
  const { user } = await cms.payload.auth({ headers })
  if (user === null) throw new Error('the account has no session')
  return createLocalReq({ user }, cms.payload)
}

/** The view of somebody with a session of this account, as the names of their own categories. */
const mineOf = async (userId: string, factor = false) => {
  const all = await staffCategories(await requestOf(userId, factor))
  return all.filter(({ isMine }) => isMine).map(({ name }) => name)
}

it('support works on the categories of its usable roles alone, and administrators on all', async () => {
  const billing = await category('billing')
  const [technical, former] = [await category('technical'), await category('former', false)]
  expect(await mineOf(cms.ids.administrator)).toEqual(['billing', 'former', 'Sample', 'technical'])
  expect(await mineOf(cms.ids.support)).toEqual([])
  // Roles that do not count give nothing, as in `cms_api.ticket_staff`.
  const careful = await supporter(
    'cecil',
    { ids: [technical] },
    { ids: [billing], twoFactorRequired: true },
    { ids: [former], active: false },
    { ids: [cms.documents['ticket-categories'] ?? ''], isSupport: false },
  )
  expect(await mineOf(careful)).toEqual(['technical'])
  expect(await mineOf(careful, true)).toEqual(['billing', 'technical'])
})

it.each(['customer', 'support without a second factor'])('a %s reads no category', async (who) => {
  const id = who === 'customer' ? cms.ids.customer : await supporter('daria', { ids: [], twoFactorRequired: true })
  await expect(mineOf(id)).rejects.toThrow(/not allowed/)
})

it('the page of categories has each name, one of another language where the reader’s is missing, the support roles that count for administrators alone, and the switched off ones last', async () => {
  const [network, retired] = [await category('network'), await category('ancient', false)]
  await cms.payload.update({ collection: 'ticket-categories', id: network, locale: 'de', data: { name: 'Netz' } })
  await supporter(
    'emma',
    { ids: [network, retired] },
    { ids: [network], active: false },
    { ids: [network], isSupport: false },
  )
  const shown = async (userId: string) => {
    const all = await listedCategories(await requestOf(userId))
    return [all.find(({ id }) => id === network), all.find(({ id }) => id === retired)]
  }
  const others = [
    { language: 'en', name: null },
    { language: 'de', name: 'Netz' },
  ]
  expect(await shown(cms.ids.administrator)).toEqual([
    { id: network, name: 'network', language: 'hu', isActive: true, isMine: true, others, roles: ['emma-0'] },
    expect.objectContaining({ id: retired, isActive: false, roles: ['emma-0'] }),
  ])
  expect(await shown(cms.ids.support)).toEqual([
    { id: network, name: 'network', language: 'hu', isActive: true, isMine: false, others, roles: undefined },
    expect.objectContaining({ id: retired, roles: undefined }),
  ])
  const order = (await listedCategories(await requestOf(cms.ids.administrator))).map(({ isActive }) => isActive)
  expect(order).toEqual(order.toSorted((one, other) => Number(other) - Number(one)))
})
