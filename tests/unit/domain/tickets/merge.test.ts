import { expect, it } from 'vitest'
import { afterMerge, mergedPeople } from '#domain/tickets/merge.ts'
import { openedTicket, REOPEN_DAYS, type TicketProgress } from '#domain/tickets/ticket-state.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY_MS = 86_400_000
const waiting = openedTicket(NOW - 2_000)
const answered: TicketProgress = {
  ...openedTicket(NOW - 5_000),
  status: 'waiting for response',
  waitingSinceMs: null,
  firstReplyAtMs: NOW - 1_000,
}
const closedAt = (closedAtMs: number): TicketProgress => ({ ...answered, status: 'closed', closedAtMs })
const merged = (source: TicketProgress, target: TicketProgress) => {
  const after = afterMerge({ source, target }, NOW)
  if (!after.ok) throw new Error(after.code)
  return after
}

it('closes the source at this time, or leaves when it was closed, and nobody waits in it any more', () => {
  expect(merged(waiting, answered).source).toEqual({
    status: 'closed',
    closedAtMs: NOW,
    waitingSinceMs: null,
    firstReplyAtMs: null,
    isMerged: true,
  })
  const old = NOW - 100 * DAY_MS
  expect(merged(closedAt(old), waiting).source).toMatchObject({ closedAtMs: old, isMerged: true })
})

it('the target waits for staff since the first moment at which either did, and keeps its own first reply', () => {
  const later = openedTicket(NOW - 1_000)
  expect(merged(waiting, later).target).toEqual({ ...later, waitingSinceMs: NOW - 2_000 })
  expect(merged(later, waiting).target).toEqual(waiting)
  expect(merged(waiting, answered).target).toEqual({ ...answered, status: 'open', waitingSinceMs: NOW - 2_000 })
  expect(merged(answered, waiting).target).toEqual(waiting)
})

it('a closed target takes the state of the source, and stays closed with a closed one', () => {
  const target = closedAt(NOW - DAY_MS)
  expect(merged(waiting, target).target).toMatchObject({
    status: 'open',
    closedAtMs: null,
    waitingSinceMs: NOW - 2_000,
  })
  expect(merged(answered, target).target).toMatchObject({ status: 'waiting for response', closedAtMs: null })
  expect(merged(closedAt(NOW - 5 * DAY_MS), target).target).toEqual(target)
})

it('a target that can no longer be reopened takes nothing', () => {
  const refused = { ok: false, code: 'TICKET_CLOSED_LONG' }
  expect(afterMerge({ source: waiting, target: closedAt(NOW - REOPEN_DAYS * DAY_MS) }, NOW)).toEqual(refused)
  expect(afterMerge({ source: waiting, target: closedAt(NOW - REOPEN_DAYS * DAY_MS + 1) }, NOW).ok).toBe(true)
})

it('the people of both see the target, each once', () => {
  expect(mergedPeople(['a', 'b'], ['c', 'a'])).toEqual(['c', 'a', 'b'])
})
