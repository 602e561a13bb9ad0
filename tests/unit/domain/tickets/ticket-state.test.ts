import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterAct,
  canBeTaken,
  canReopen,
  grantRefusal,
  openedTicket,
  REOPEN_DAYS,
  TICKET_ACTS,
  TICKET_STATES,
  type TicketProgress,
  type TicketSide,
} from '#domain/tickets/ticket-state.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const opened = openedTicket(NOW)
const after = (ticket: TicketProgress, act: (typeof TICKET_ACTS)[number], side: TicketSide, nowMs = NOW) => {
  const result = afterAct(ticket, { act, side, nowMs })
  return result.ok ? result.ticket : result.code
}
const changed = (ticket: TicketProgress, act: (typeof TICKET_ACTS)[number], side: TicketSide, nowMs = NOW) => {
  const result = after(ticket, act, side, nowMs)
  if (typeof result === 'string') throw new Error(result)
  return result
}
const answered = changed(opened, 'message', 'staff', NOW + 5)
const closed = changed(opened, 'close', 'customer')

describe('a ticket', () => {
  it('is open after a message of a customer, and waits for them after one of staff', () => {
    expect([opened.status, answered.status]).toEqual(['open', 'waiting for response'])
    expect(changed(answered, 'message', 'customer').status).toBe('open')
  })

  it('counts the wait from the first unanswered message, and the first reply once', () => {
    const again = changed(opened, 'message', 'customer', NOW + 1)
    expect(again.waitingSinceMs).toBe(NOW)
    expect([answered.waitingSinceMs, answered.firstReplyAtMs]).toEqual([null, NOW + 5])
    const second = changed(changed(answered, 'message', 'customer', NOW + 7), 'message', 'staff', NOW + 9)
    expect(second.firstReplyAtMs).toBe(NOW + 5)
  })

  it('takes no message and no second end once it is closed', () => {
    for (const side of ['customer', 'staff'] as const)
      expect([after(closed, 'message', side), after(closed, 'close', side)]).toEqual(['TICKET_CLOSED', 'TICKET_CLOSED'])
    expect(after(opened, 'reopen', 'staff')).toBe('TICKET_NOT_CLOSED')
  })

  it('can be reopened until thirty days after its end, and never once it was merged', () => {
    const last = NOW + REOPEN_DAYS * DAY_MS
    expect([canReopen(closed, last - 1), canReopen(closed, last)]).toEqual([true, false])
    expect(changed(closed, 'reopen', 'customer', last - 1)).toMatchObject({ status: 'open', waitingSinceMs: last - 1 })
    expect(changed(closed, 'reopen', 'staff')).toMatchObject({ status: 'open', waitingSinceMs: null })
    expect([
      after(closed, 'reopen', 'customer', last),
      after({ ...closed, isMerged: true }, 'reopen', 'staff'),
    ]).toEqual(['TICKET_TOO_OLD', 'TICKET_TOO_OLD'])
    // Nobody is told to reopen a ticket that they cannot reopen.
    expect([after(closed, 'message', 'customer', last - 1), after(closed, 'message', 'customer', last)]).toEqual([
      'TICKET_CLOSED',
      'TICKET_TOO_OLD',
    ])
  })

  it('grants nothing once it is closed: it is reopened first, or a new one is opened', () => {
    expect([grantRefusal(opened, NOW), grantRefusal(answered, NOW)]).toEqual([null, null])
    expect([NOW, NOW + REOPEN_DAYS * DAY_MS].map((nowMs) => grantRefusal(closed, nowMs))).toEqual([
      'TICKET_CLOSED',
      'TICKET_TOO_OLD',
    ])
  })

  it('is always in one whole state, whatever is done to it in which order', () => {
    const step = fc.record({
      act: fc.constantFrom(...TICKET_ACTS),
      side: fc.constantFrom<TicketSide>('customer', 'staff'),
      waitMs: fc.integer({ min: 0, max: 40 * DAY_MS }),
    })
    let reopened = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [ticket, nowMs] = [opened, NOW]
        for (const { act, side, waitMs } of steps) {
          nowMs += waitMs
          const before = ticket
          const result = afterAct(ticket, { act, side, nowMs })
          if (result.ok) ticket = result.ticket
          if (result.ok && act === 'reopen') reopened += 1
          expect(TICKET_STATES).toContain(ticket.status)
          expect(ticket.closedAtMs !== null).toBe(ticket.status === 'closed')
          // Nobody waits in a ticket that is closed or waits for the customer.
          if (ticket.status !== 'open') expect(ticket.waitingSinceMs).toBeNull()
          if (before.firstReplyAtMs !== null) expect(ticket.firstReplyAtMs).toBe(before.firstReplyAtMs)
          if (result.ok && act === 'message') expect(ticket.status === 'open').toBe(side === 'customer')
        }
      }),
      { numRuns: 1_000 },
    )
    expect(reopened).toBeGreaterThan(100)
  })
})

it.each(TICKET_STATES)(
  'a ticket that is %s can be taken unless it is closed, and never once it goes on in another',
  (status) => {
    expect(canBeTaken({ status, isMerged: false })).toBe(status !== 'closed')
    expect(canBeTaken({ status, isMerged: true })).toBe(false)
  },
)
