import { expect, test } from 'vitest'
import { TicketQuery, TicketQueueQuery } from '#contracts/http/ticket.ts'

test.each([
  ['open', 'open'],
  ['Waiting For Response', 'waiting for response'],
  ['CLOSED', 'closed'],
] as const)('tickets are asked for by the state %j', (asked, status) => {
  expect(TicketQuery.parse({ status: asked })).toEqual({ status })
  expect(TicketQueueQuery.parse({ status: asked })).toEqual({ status })
})

test('a text that is no state is refused, and none asks for all', () => {
  for (const status of ['waiting', 'OPENED', 1, ['open']]) expect(TicketQuery.safeParse({ status }).success).toBe(false)
  expect(TicketQuery.parse({})).toEqual({})
})
