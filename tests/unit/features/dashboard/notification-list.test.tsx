// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Notification } from '#contracts/http/notification.ts'
import { NotificationList } from '../../../../src/features/dashboard/notification-list.tsx'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer } from '../../../factories/shown-server.ts'
import { shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const show = (data: Partial<Notification['data']>, text: Notification['text'] = 'server.crashed') => {
  const notice: Notification = {
    id: '01890000-0000-7000-8000-0000000000ee',
    text,
    data: { sid: SHOWN_SERVER_ID, name: 'Watchman', ...data },
    createdAt: '2026-11-30T10:00:00.000Z',
    userId: OWNER_ID,
    readAt: '2026-11-30T10:00:00.000Z',
  }
  page = shownPage(<NotificationList onLeave={() => {}} />, {
    'GET /api/user/notifications': () => Response.json([notice]),
    'GET /api/user/servers': () => Response.json([shownServer({})]),
  })
  return page
}
const staffError = { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' }

test.each([
  ['one of ours', { error: 'out-of-memory' }, 'The server ran out of memory'],
  ['a rule of staff, in the language of the reader', { staffError }, 'The oven is cold'],
  ['one of ours beside a rule of staff', { error: 'out-of-memory', staffError }, 'The server ran out of memory'],
])('the bell names the known error of a crash: %s', async (_which, data, words) => {
  expect((await show(data).see('.nt-row', 'Server crashed')).textContent).toContain(words)
})

const ticketId = '01890000-0000-7000-8000-0000000000aa'
const lag = { ticketId, title: 'Lag', person: 'kata' }

test.each([
  ['ticket.added', lag, 'Added to a ticket', 'kata added you to the ticket “Lag”.', `/dashboard/ticket/${ticketId}`],
  ['ticket.closed', lag, 'Ticket closed', 'kata closed “Lag”.', `/dashboard/ticket/${ticketId}`],
  ['ticket.assigned', lag, 'Ticket assigned to you', 'kata assigned “Lag” to you.', `/admin/ticket/${ticketId}`],
  ['ticket.opened', lag, 'New ticket', 'kata opened “Lag”.', `/admin/ticket/${ticketId}`],
  ['ticket.opened', { count: 12 }, 'New tickets', '12 new tickets have come in.', '/admin/tickets'],
] as const)(
  'the bell says what happened to a ticket, and leads to it: %s %o',
  async (text, data, title, words, page) => {
    const row = await show(data, text).see('.nt-row', title)
    expect(row.textContent).toContain(words)
    expect(row.textContent).not.toContain('Did we help you?')
    expect(row.getAttribute('href')).toContain(page)
  },
)

test('the bell of a closed ticket asks its opener for a rating', async () => {
  const row = await show({ ...lag, rates: true }, 'ticket.closed').see('.nt-row', 'Ticket closed')
  expect(row.textContent).toContain('Did we help you? Rate the ticket on its page.')
})
