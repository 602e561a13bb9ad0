import { expect, test } from 'vitest'
import { nextSign, shownSign, TICKET_SIGNS, type TicketSign } from '../../../../src/domain/tickets/ticket-sign.ts'

test.each<[TicketSign, TicketSign | null, TicketSign | null]>([
  ['writing', 'writing', 'writing'],
  ['answering', 'answering', null],
  ['noting', 'noting', null],
])('of staff who are %s, staff are told %s and customers %s', (sign, toStaff, toCustomers) => {
  expect(shownSign('staff', sign, 'staff')).toBe(toStaff)
  expect(shownSign('staff', sign, 'customer')).toBe(toCustomers)
})

test('of a customer everybody is told that a message is written, and nothing that only staff do', () => {
  for (const audience of ['staff', 'customer'] as const)
    expect(TICKET_SIGNS.map((sign) => shownSign('customer', sign, audience))).toEqual([null, 'writing', null])
})

test('an audience is told of an end when it was told of the sign before, and only then', () => {
  const change = (before: TicketSign | null, now: TicketSign | null) =>
    (['staff', 'customer'] as const).map((audience) => nextSign('staff', { before, now }, audience))
  expect(change('writing', 'noting')).toEqual(['noting', 'ended'])
  expect(change('noting', null)).toEqual(['ended', null])
  expect(change('answering', 'answering')).toEqual(['answering', null])
  expect(change('writing', null)).toEqual(['ended', 'ended'])
  expect(change(null, null)).toEqual([null, null])
})
