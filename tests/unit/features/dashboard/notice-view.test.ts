import { expect, test } from 'vitest'
import { NOTIFICATION_KEYS } from '../../../../src/contracts/http/notification.ts'
import { byDay, noticeViewOf } from '../../../../src/features/dashboard/notice-view.ts'
import en from '../../../../src/messages/en.json'

const sid = '019a0000-0000-7000-8000-000000000001'
const server = { id: sid, name: 'Castle' }
const consolePage = `/panel/${sid}/console`

test.each([
  ['server.installed', consolePage, consolePage],
  ['purchase.success', consolePage, consolePage],
  ['server.expired', `/panel/${sid}/settings`, null],
  ['server.crashed', consolePage, null],
  ['server.moved', consolePage, null],
  ['server.invited', '/dashboard/servers', '/dashboard/servers'],
  ['server.joined', `/panel/${sid}/users`, null],
  ['server.declined', `/panel/${sid}/users`, null],
  ['server.access-ended', consolePage, null],
  ['topup.failed', '/dashboard/balance/summary', '/dashboard/balance/summary'],
  ['topup.successful', '/dashboard/balance/summary', '/dashboard/balance/summary'],
  ['order.failed', '/dashboard/balance/summary', '/dashboard/balance/summary'],
  ['premium.expired', '/dashboard/premium', '/dashboard/premium'],
] as const)('%s leads to %s, and without the server in the list to %s', (text, listed, gone) => {
  expect(noticeViewOf({ text, data: { sid } }, [server]).link).toBe(listed)
  expect(noticeViewOf({ text, data: { sid } }, []).link).toBe(gone)
})

test('a reply of staff leads to the ticket of the customer, a message of a customer to the ticket of staff', () => {
  const data = { ticketId: sid, title: 'Castle', person: 'kata' }
  expect(noticeViewOf({ text: 'ticket.reply', data }, []).link).toBe(`/dashboard/ticket/${sid}`)
  expect(noticeViewOf({ text: 'ticket.customer-reply', data }, []).link).toBe(`/admin/ticket/${sid}`)
  expect(noticeViewOf({ text: 'ticket.opened', data: { count: 3 } }, []).link).toBe('/admin/tickets')
})

test('a notification that names no server leads to none', () => {
  expect(noticeViewOf({ text: 'server.installed', data: {} }, [server]).link).toBeNull()
})

test('the name is the one of the list, else the remembered one, else UNKNOWN', () => {
  const named = { text: 'server.expired', data: { sid, name: 'Old castle' } } as const
  expect(noticeViewOf(named, [server])).toMatchObject({ name: 'Castle', server })
  expect(noticeViewOf(named, [])).toMatchObject({ name: 'Old castle', server: undefined })
  expect(noticeViewOf({ text: 'server.expired', data: { sid } }, [])).toMatchObject({ name: 'UNKNOWN' })
})

test('every key has a title', () => {
  const titles: unknown[] = NOTIFICATION_KEYS.map((key) =>
    key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], en.dashboard.bell.titles),
  )
  expect(titles.every((title) => typeof title === 'string' && title !== '')).toBe(true)
})

test('today is the day of the reader, not of UTC', () => {
  const notices = ['2026-11-20T23:30:00.000Z', '2026-11-20T22:30:00.000Z'].map((createdAt) => ({ createdAt }))
  const { today, earlier } = byDay(notices, new Date('2026-11-21T08:00:00.000Z'), 'Europe/Budapest')
  expect(today).toEqual([notices[0]])
  expect(earlier).toEqual([notices[1]])
})
