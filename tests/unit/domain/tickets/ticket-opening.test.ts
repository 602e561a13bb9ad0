import { expect, test } from 'vitest'
import { mayOpenTicket, sameOpening } from '../../../../src/domain/tickets/ticket-opening.ts'

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

test('a ticket stays the same when its server is looked at again, and is another one about another server or none', () => {
  const about = (server?: { id: string; mark: string }) => JSON.stringify(sameOpening({ title: 'Help', server }))
  expect(about({ id: 'paper', mark: 'later' })).toBe(about({ id: 'paper', mark: 'first' }))
  expect(new Set([about({ id: 'paper', mark: 'a' }), about({ id: 'bot', mark: 'a' }), about()]).size).toBe(3)
  // What was stored about tickets without a server stays comparable.
  expect(about()).toBe('{"title":"Help"}')
})
