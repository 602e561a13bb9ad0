import { expect, test } from 'vitest'
import { ATTACHMENT_BOUNDS } from '../../../src/domain/tickets/attachment.ts'
import { decideMail, mayAnswer, type MailFacts } from '../../../src/domain/tickets/mail-decision.ts'
import { replyTime } from '../../../src/domain/tickets/reply-time.ts'
import { contextLines } from '../../../src/domain/tickets/server-context.ts'
import { afterAct, canReopen, openedTicket } from '../../../src/domain/tickets/ticket-state.ts'

// The numbers that were promised (clarifications part 6), written down apart from the rules: a rule that is changed fails here.

const DAY_MS = 86_400_000
const mail: MailFacts = {
  report: null,
  isReadable: true,
  sender: 'anna@example.test',
  isOwn: false,
  isAutomatic: false,
  isSpam: false,
  isTooLarge: false,
  isMatched: true,
  sentThisHour: 0,
  sameTexts: 0,
}

test('loops end after three', () => {
  const kinds = [0, 1, 2, 3, 4].map((sameTexts) => decideMail({ ...mail, sameTexts }).kind)
  expect(kinds).toEqual(['message', 'message', 'message', 'drop', 'drop'])
})

test('automatic answers make no message and get none', () => {
  for (const isMatched of [true, false])
    expect(decideMail({ ...mail, isAutomatic: true, isMatched })).toEqual({ kind: 'drop', why: 'automatic' })
})

test('an unknown sender gets one answer a day, and all of them together 200', () => {
  const answered = (toSender: number, toAll: number) => mayAnswer({ isMatched: false, toSender, toAll })
  expect([answered(0, 0), answered(1, 1), answered(2, 2)]).toEqual([true, false, false])
  expect([answered(0, 199), answered(0, 200)]).toEqual([true, false])
})

test('below ten first replies nothing is said about the reply time', () => {
  const said = (replies: number) => replyTime({ replies, waits: [60_000, 120_000] })
  expect([said(0), said(9), said(10)]).toEqual([null, null, { medianMs: 60_000, ninetyPercentMs: 120_000 }])
})

test('a ticket that was closed for 30 days cannot be reopened, by nobody', () => {
  const closed = { ...openedTicket(0), status: 'closed' as const, closedAtMs: 0, waitingSinceMs: null }
  expect([30 * DAY_MS - 1, 30 * DAY_MS].map((nowMs) => canReopen(closed, nowMs))).toEqual([true, false])
  for (const side of ['customer', 'staff'] as const) {
    const reopened = (nowMs: number) => afterAct(closed, { act: 'reopen', side, nowMs })
    expect(reopened(30 * DAY_MS - 1)).toMatchObject({ ok: true, ticket: { status: 'open' } })
    expect(reopened(30 * DAY_MS)).toEqual({ ok: false, code: 'TICKET_TOO_OLD' })
  }
})

test('five files of 10 MiB go with a message, and 200 lines of a console with a ticket', () => {
  expect([ATTACHMENT_BOUNDS.perMessage, ATTACHMENT_BOUNDS.bytes]).toEqual([5, 10_485_760])
  const lines = Array.from({ length: 250 }, (_, at) => `line ${at}`)
  expect(contextLines(lines)).toEqual(lines.slice(50))
})
