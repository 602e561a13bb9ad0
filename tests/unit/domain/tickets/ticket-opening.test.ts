import { expect, test } from 'vitest'
import { mayOpenTicket } from '../../../../src/domain/tickets/ticket-opening.ts'

test.each([
  { isVerified: true, hasOpened: false, may: true },
  { isVerified: true, hasOpened: true, may: true },
  { isVerified: false, hasOpened: false, may: true },
  { isVerified: false, hasOpened: true, may: false },
])(
  'an account with a confirmed address ($isVerified) that has opened one ($hasOpened) opens another one: $may',
  (facts) => {
    expect(mayOpenTicket(facts)).toBe(facts.may)
  },
)
