import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Notification } from '../../../../src/contracts/http/notification.ts'
import { applyEvent } from '../../../../src/features/realtime/apply-event.ts'
import { keys } from '../../../../src/lib/api-client/queries.ts'

const notice = (at: number): Notification => ({
  id: `019a0000-0000-7000-8000-00000000000${at}`,
  text: 'topup.successful',
  data: { amount: 500 },
  createdAt: '2026-11-20T10:00:00.000Z',
  userId: '019a0000-0000-7000-8000-0000000000ff',
  readAt: null,
})

test('a new notification stands first in the list that is loaded', () => {
  const client = new QueryClient()
  client.setQueryData(keys.notifications, [notice(1)])
  applyEvent(client, { event: 'notification.new', data: notice(2) })
  expect(client.getQueryData(keys.notifications)).toEqual([notice(2), notice(1)])
})

test('before the list is loaded a notification is left to the loading', () => {
  const client = new QueryClient()
  applyEvent(client, { event: 'notification.new', data: notice(2) })
  expect(client.getQueryData(keys.notifications)).toBeUndefined()
})

test('what was read elsewhere is read here', () => {
  const client = new QueryClient()
  client.setQueryData(keys.notifications, [notice(2), notice(1)])
  applyEvent(client, { event: 'notification.read', data: { upTo: notice(1).id } })
  const list = client.getQueryData<Notification[]>(keys.notifications)
  expect(list?.map(({ readAt }) => readAt === null)).toEqual([true, false])
})
