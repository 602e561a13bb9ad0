import { expect, test } from 'vitest'
import { firstReplyMs } from '../../../../../src/features/support/aside/first-reply.ts'
import { staffTicket, ticketLine } from '../../../../factories/staff-ticket.ts'

const OPENED = '2026-06-01T10:00:00.000Z'
const support = { id: ticketLine(9).author.id, username: 'dora', isStaff: true }
const question = ticketLine(1, { createdAt: OPENED })
const event = ticketLine(2, {
  kind: 'event',
  author: support,
  event: { type: 'closed', about: null },
  createdAt: OPENED,
})
const reply = ticketLine(3, { author: support, createdAt: '2026-06-01T10:02:00.000Z' })
const second = ticketLine(4, { author: support, createdAt: '2026-06-01T10:30:00.000Z' })
const waited = (facts: Parameters<typeof staffTicket>[0]) => firstReplyMs(staffTicket(facts, { createdAt: OPENED }))

test('the first reply is the first message of staff, and no event', () => {
  expect(waited({ messages: [question, event, reply, second] })).toBe(120_000)
  expect(waited({ messages: [question, event] })).toBeUndefined()
})

test('nothing is said of a first reply that may stand in lines that are not read, or in another ticket', () => {
  expect(waited({ messages: [reply], hasEarlier: true })).toBeUndefined()
  expect(waited({ messages: [question, { ...reply, origin: 'acdefghj' }] })).toBeUndefined()
})
