// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { useHits } from '../../../../src/features/dashboard/search-hits.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('#contracts/features.ts', async (original) => ({
  ...(await original<typeof import('#contracts/features.ts')>()),
  isBuilt: () => true,
}))

let page: ShownPage
afterEach(() => page.close())

const person = { id: '01890000-0000-7000-8000-0000000000cc', username: 'anna' }
const ticket = {
  id: '01890000-0000-7000-8000-0000000000aa',
  identifier: 'acdefghj',
  title: 'It does not start',
  lastMessage: { message: 'Only the beginning', createdAt: '2026-11-20T19:00:00.000Z' },
  category: 'Billing',
  categoryId: person.id,
  status: 'closed',
  opener: person,
  admin: null,
  addedUsers: [],
  createdAt: '2026-11-20T19:00:00.000Z',
  unread: false,
}
const Shown = ({ input }: { input: string }) => (
  <ul>
    {useHits(input, undefined).map((hit) => (
      <li key={hit.id}>{`${hit.kind} ${hit.link} ${hit.kind === 'tickets' ? hit.ticket.status : ''}`}</li>
    ))}
  </ul>
)
const FOUND = `tickets /dashboard/ticket/${ticket.id} closed`

test('a ticket is found by the end of its newest message, which only the server has, and leads to its page', async () => {
  page = shownPage(<Shown input="the END" />, { 'GET /api/ticket/all': () => Response.json([ticket]) })
  await eventually(() => expect(document.body.textContent).toContain(FOUND))
  expect(page.calls.find(({ path }) => path.startsWith('/api/ticket'))?.path).toBe(
    '/api/ticket/all?find=the+END&limit=20',
  )
})

const guide = { slug: 'storage-full', topic: 'servers', title: 'When the storage is full', summary: 'Make room.' }

test('a guide is found by a part of its title, and the pages of guides by their name', async () => {
  page = shownPage(<Shown input="STORAGE is" />, { 'GET /api/guides': () => Response.json([guide]) })
  await eventually(() =>
    expect([...document.querySelectorAll('li')].map((line) => line.textContent?.trim())).toEqual([
      'menu /dashboard/guides/servers#storage-full',
    ]),
  )
  page.close()
  page = shownPage(<Shown input="guides" />, { 'GET /api/guides': () => refused('CONTROL_PLANE_UNAVAILABLE') })
  await eventually(() => expect(document.querySelectorAll('li')).toHaveLength(4))
  expect(document.body.textContent).toContain('/dashboard/guides/services')
})

test('an empty input asks nothing and finds nothing', async () => {
  page = shownPage(<Shown input="  " />, { 'GET /api/ticket/all': () => Response.json([ticket]) })
  await eventually(() => expect(page.calls.some(({ path }) => path === '/api/user/servers')).toBe(true))
  expect(page.calls.some(({ path }) => path.startsWith('/api/ticket'))).toBe(false)
  expect(document.querySelectorAll('li')).toHaveLength(0)
})
