import { expect, test } from 'vitest'
import type { Notification } from '#contracts/http/notification.ts'
import { unreadOf, withNotice, withReadUpTo } from '../../../../src/lib/queries/notice-store.ts'

const notice = (at: number, readAt: string | null = null): Notification => ({
  id: `019a0000-0000-7000-8000-00000000000${at}`,
  text: 'topup.successful',
  data: { amount: 500 },
  createdAt: '2026-11-20T10:00:00.000Z',
  userId: '019a0000-0000-7000-8000-0000000000ff',
  readAt,
})
const idsOf = (list: readonly Notification[]) => list.map(({ id }) => id.at(-1))

test('the newest stands first, whatever the order of arrival', () => {
  expect(idsOf(withNotice([notice(3), notice(1)], notice(4)))).toEqual(['4', '3', '1'])
  expect(idsOf(withNotice([notice(3), notice(1)], notice(2)))).toEqual(['3', '2', '1'])
})

test('the same event twice is one notification, and does not make a read one unread', () => {
  const list = withNotice([notice(1, '2026-11-20T11:00:00.000Z')], notice(1))
  expect(idsOf(list)).toEqual(['1'])
  expect(unreadOf(list)).toEqual([])
})

test('reading up to one leaves what came after it unread, and keeps older times', () => {
  const early = '2026-11-20T11:00:00.000Z'
  const late = '2026-11-20T12:00:00.000Z'
  const list = withReadUpTo([notice(3), notice(2), notice(1, early)], notice(2).id, late)
  expect(list.map(({ readAt }) => readAt)).toEqual([null, late, early])
  expect(idsOf(unreadOf(list))).toEqual(['3'])
})

test('an event that arrives again takes back no newer words of one that stands for it as well', () => {
  const crash = (at: number, data: Notification['data']): Notification => ({
    ...notice(at),
    text: 'server.crashed',
    data,
  })
  const again = crash(1, { again: true })
  const stays = crash(2, { replaces: again.id })
  expect(withNotice([again], stays)).toEqual([stays])
  expect(withNotice([stays], again)).toEqual([stays])
})
