// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NewTicketPage } from '../../../../src/features/support/new-ticket-page.tsx'
import { draftName } from '../../../../src/features/support/writing/ticket-draft.ts'
import { shownServer, shownUser } from '../../../factories/shown-server.ts'
import { BILLING } from '../../../factories/staff-ticket.ts'
import { eventually, refused, shownPage, type ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(window.location.search),
  useRouter: () => ({ replace: () => {} }),
}))

const server = shownServer()
const OPENING = 'POST /api/ticket'
let page: ShownPage | undefined
beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/dashboard/ticket')
  const draft = { title: 'It stops', categoryId: BILLING, message: 'Every night', serverId: server.id }
  localStorage.setItem(draftName({ userId: server.owner.id, ticket: 'new' }), JSON.stringify(draft))
})
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const context = (line: string) => ({
  serverId: server.id,
  identifier: server.identifier,
  name: 'Castle',
  game: 'Minecraft',
  template: 'Paper',
  version: '1.21',
  status: 'running',
  errors: [],
  log: { at: '2026-06-01T10:00:00.000Z', lines: [line], source: 'console' },
  missing: null,
})

/** A page that shows this look at the server, until its ticket is sent and the answer is lost. */
const send = async (line: string, mark: string) => {
  const shown = shownPage(<NewTicketPage />, {
    'GET /api/switches': () =>
      Response.json({ ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true }),
    'GET /api/user/me': () => Response.json(shownUser({ id: server.owner.id })),
    'GET /api/user/servers': () => Response.json([server]),
    'GET /api/ticket/categories': () => Response.json([{ id: BILLING, name: 'Billing', replyTime: null }]),
    [`GET /api/ticket-context/${server.id}`]: () => Response.json({ context: context(line), mark }),
    [OPENING]: () => refused('CONTROL_PLANE_UNAVAILABLE'),
  })
  page = shown
  await shown.see('form', line)
  const opened = () => shown.calls.filter(({ name }) => name === OPENING)
  shown.find('form.tk-form button[type=submit]')?.click()
  await eventually(() => expect(opened()).toHaveLength(1))
  await shown.see('[role=alert]')
  shown.close()
  page = undefined
  return opened()[0]
}

test('a ticket about a running server is the same attempt after a reload, although its console has other lines', async () => {
  const first = await send('a line of the first look', 'a'.repeat(64))
  const again = await send('a later line', 'b'.repeat(64))
  expect([first?.body, again?.body]).toMatchObject([
    { message: 'Every night', server: { id: server.id, mark: 'a'.repeat(64) } },
    { message: 'Every night', server: { id: server.id, mark: 'b'.repeat(64) } },
  ])
  expect(first?.key).toMatch(/./)
  expect(again?.key).toBe(first?.key)
})
