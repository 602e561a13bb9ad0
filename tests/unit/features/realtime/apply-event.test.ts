import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { BALANCE_CHANGE_SIGNS, BALANCE_CHANGE_TYPES } from '../../../../src/contracts/gateway/events.ts'
import type { Notification } from '../../../../src/contracts/http/notification.ts'
import { applyEvent, catchUp } from '../../../../src/features/realtime/apply-event.ts'
import { readMessage } from '../../../../src/lib/realtime/read-message.ts'
import { keys } from '../../../../src/lib/queries/queries.ts'

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

test('a notification takes the place of the one that it stands for as well', () => {
  const client = new QueryClient()
  client.setQueryData(keys.notifications, [notice(2), notice(1)])
  const counted = { ...notice(3), text: 'ticket.opened' as const, data: { count: 2, replaces: notice(1).id } }
  applyEvent(client, { event: 'notification.new', data: counted })
  expect(client.getQueryData(keys.notifications)).toEqual([counted, notice(2)])
})

test('bells and tickets that were read before the link was open are read again, and nothing else is', () => {
  const client = new QueryClient()
  const read = [keys.notifications, keys.tickets, keys.ticket('one'), keys.balance, keys.me]
  for (const key of read) client.setQueryData(key, [])
  catchUp(client)
  expect(read.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false, false])
})

const RAISING = ['sandbox', 'barion', 'paypal', 'stripe', 'phone', 'prize', 'refund', 'correction up']
const LOWERING = ['order', 'renewal', 'modification', 'premium', 'spin', 'correction down']

test.each([...RAISING.map((type) => [type, 1_500]), ...LOWERING.map((type) => [type, 500])] as const)(
  'a balance change of the type %s leaves %i Ft, and the movements are read again',
  (type, balance) => {
    const client = new QueryClient()
    client.setQueryData(keys.balance, { balanceFt: 1_000 })
    client.setQueryData(keys.transactions, [])
    const message = readMessage({ event: 'balance.change', data: { type, change: 500, balance } })
    expect(message?.event).toBe('balance.change')
    if (message) applyEvent(client, message)
    expect(client.getQueryData(keys.balance)).toEqual({ balanceFt: balance })
    expect(client.getQueryState(keys.transactions)?.isInvalidated).toBe(true)
    expect([...BALANCE_CHANGE_TYPES].toSorted()).toEqual([...RAISING, ...LOWERING].toSorted())
    expect(BALANCE_CHANGE_SIGNS[message?.event === 'balance.change' ? message.data.type : 'order']).toBe(
      Math.sign(Number(balance) - 1_000),
    )
  },
)

test('a balance change of an unknown type changes nothing and reads again; of a known one the case does not matter', () => {
  const client = new QueryClient()
  client.setQueryData(keys.balance, { balanceFt: 1_000 })
  const unknown = readMessage({ event: 'balance.change', data: { type: 'crypto', change: 500, balance: 9_999 } })
  if (unknown) applyEvent(client, unknown)
  expect(client.getQueryData(keys.balance)).toEqual({ balanceFt: 1_000 })
  expect(client.getQueryState(keys.balance)?.isInvalidated).toBe(true)
  const data = { type: 'Barion', change: 500, balance: 1_500 }
  expect(readMessage({ event: 'balance.change', data })).toEqual({
    event: 'balance.change',
    data: { ...data, type: 'barion' },
  })
  expect(readMessage({ event: 'something.new', data: {} })).toBeUndefined()
})

test('before the list is loaded a notification is left to the loading', () => {
  const client = new QueryClient()
  applyEvent(client, { event: 'notification.new', data: notice(2) })
  expect(client.getQueryData(keys.notifications)).toBeUndefined()
})

test('a notification that was read elsewhere is read here', () => {
  const client = new QueryClient()
  client.setQueryData(keys.notifications, [notice(2), notice(1)])
  applyEvent(client, { event: 'notification.read', data: { upTo: notice(1).id } })
  const list = client.getQueryData<Notification[]>(keys.notifications)
  expect(list?.map(({ readAt }) => readAt === null)).toEqual([true, false])
})

test('the bells are read again when a ticket changed that one of them names, and only then', () => {
  const client = new QueryClient()
  const [named, other] = ['019a0000-0000-7000-8000-0000000000aa', '019a0000-0000-7000-8000-0000000000bb']
  const bell = { ...notice(1), text: 'ticket.reply' as const, data: { ticketId: named, title: 'Help' } }
  client.setQueryData<Notification[]>(keys.notifications, [bell])
  const isStale = () => client.getQueryState(keys.notifications)?.isInvalidated
  applyEvent(client, { event: 'ticket.update', data: { id: other } })
  expect(isStale()).toBe(false)
  applyEvent(client, { event: 'ticket.update', data: { id: named } })
  expect(isStale()).toBe(true)
  client.setQueryData<Notification[]>(keys.notifications, [{ ...bell, data: { aboutTicketId: other, title: 'Help' } }])
  applyEvent(client, { event: 'ticket.update', data: { id: other } })
  expect(isStale()).toBe(true)
})

test('a ticket that changed is read again, and so are the lists of tickets, but no other ticket', () => {
  const client = new QueryClient()
  const id = '019a0000-0000-7000-8000-0000000000aa'
  const lists = [...keys.tickets, 'open']
  for (const key of [keys.ticket(id), keys.ticket('another'), lists]) client.setQueryData(key, {})
  applyEvent(client, { event: 'ticket.update', data: { id } })
  const isStale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated
  expect([keys.ticket(id), keys.ticket('another'), lists].map(isStale)).toEqual([true, false, true])
})
