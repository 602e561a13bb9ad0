import { expect, test } from 'vitest'
import type { TicketMessage, TicketView } from '../../../../../src/contracts/http/ticket.ts'
import { withEarlier, withLine, withNewest } from '../../../../../src/features/support/ticket/ticket-lines.ts'

const line = (id: number): TicketMessage => ({
  id: String(id),
  kind: 'message',
  author: { id: 'a', username: 'anna', isStaff: false },
  message: `line ${id}`,
  event: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  attachments: [],
})

const view = (from: number, to: number, hasEarlier = from > 1): TicketView => ({
  ticket: {
    id: 't',
    identifier: 'abcd1234',
    title: 'It stops',
    lastMessage: { message: `line ${to}`, createdAt: '2026-11-20T10:00:00.000Z' },
    category: 'Game server',
    categoryId: 'c',
    status: 'open',
    opener: { id: 'a', username: 'anna' },
    admin: null,
    addedUsers: [],
    createdAt: '2026-11-20T10:00:00.000Z',
    unread: to > 4,
  },
  standing: 'opener',
  messages: Array.from({ length: to - from + 1 }, (_, at) => line(from + at)),
  hasEarlier,
  canReopen: false,
  follows: null,
  rating: null,
})
const idsOf = ({ messages }: TicketView) => messages.map(({ id }) => Number(id))

test('new lines stand behind those of the page, which keeps the earlier ones', () => {
  const shown = withNewest(view(1, 4), view(3, 6))
  expect(idsOf(shown)).toEqual([1, 2, 3, 4, 5, 6])
  expect(shown.hasEarlier).toBe(false)
  expect(shown.ticket.unread).toBe(true)
})

test('a line that was written before another one arrived stands behind it once the ticket is read', () => {
  const written = withLine(view(1, 3), line(5))
  expect(idsOf(written)).toEqual([1, 2, 3, 5])
  expect(idsOf(withNewest(written, view(2, 5)))).toEqual([1, 2, 3, 4, 5])
})

test('so many new lines that some are missing in between replace those of the page', () => {
  const shown = withNewest(view(1, 4), view(10, 12))
  expect(idsOf(shown)).toEqual([10, 11, 12])
  expect(shown.hasEarlier).toBe(true)
})

test('lines of a ticket that was merged since replace those of the page, among which they stand', () => {
  const newest = view(3, 6)
  const event = { type: 'merged from', about: 'acdefghj' } as const
  const merged = { ...newest, messages: [...newest.messages, { ...line(9), kind: 'event' as const, event }] }
  expect(idsOf(withNewest(view(1, 4), merged))).toEqual([3, 4, 5, 6, 9])
  const known = withNewest(view(1, 4), merged)
  expect(idsOf(withNewest({ ...known, messages: [line(1), line(2), ...known.messages] }, merged))).toEqual([
    1, 2, 3, 4, 5, 6, 9,
  ])
})

test('earlier lines stand before those of the page, none of them twice', () => {
  const shown = withEarlier(view(5, 8), { messages: [line(3), line(4), line(5)], hasEarlier: true })
  expect(idsOf(shown)).toEqual([3, 4, 5, 6, 7, 8])
  expect(shown.hasEarlier).toBe(true)
  expect(withEarlier(shown, { messages: [line(1), line(2)], hasEarlier: false }).hasEarlier).toBe(false)
})

test('the facts that were sent along stay on the page while answers leave them out, and go with their mark', () => {
  const server = { name: 'Night watch' } as unknown as NonNullable<TicketView['server']>
  const known: TicketView = { ...view(1, 2), server, serverMark: 'a' }
  expect(withNewest(known, { ...view(1, 3), serverMark: 'a' }).server).toBe(server)
  expect(withNewest(known, view(1, 3))).not.toHaveProperty('server')
})

test('a line that was read in the meantime is not written twice', () => {
  expect(idsOf(withLine(view(1, 3), line(3)))).toEqual([1, 2, 3])
})
