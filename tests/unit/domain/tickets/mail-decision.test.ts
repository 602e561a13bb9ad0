import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  answerTo,
  askAgainAfterMs,
  decideMail,
  MAIL_BOUNDS,
  mayAnswer,
  OLDEST_MAIL_MS,
  pageOfAnswer,
  RECEIVED_LIFE_MS,
  type MailFacts,
} from '#domain/tickets/mail-decision.ts'

const GOOD: MailFacts = {
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

it.each<[Partial<MailFacts>, object]>([
  [{}, { kind: 'message' }],
  [{ isSpam: true }, { kind: 'message' }],
  [{ report: { isFinal: true } }, { kind: 'bounce' }],
  [{ report: { isFinal: false } }, { kind: 'drop', why: 'automatic' }],
  [{ isReadable: false }, { kind: 'drop', why: 'unreadable' }],
  [{ sender: null }, { kind: 'drop', why: 'no-sender' }],
  [{ isOwn: true }, { kind: 'drop', why: 'own' }],
  [
    { isAutomatic: true, isMatched: false },
    { kind: 'drop', why: 'automatic' },
  ],
  [{ sentThisHour: MAIL_BOUNDS.perSenderAndHour }, { kind: 'wait' }],
  [
    { sentThisHour: MAIL_BOUNDS.perSenderAndHour, isMatched: false },
    { kind: 'drop', why: 'too-many' },
  ],
  [{ isMatched: false }, { kind: 'answer', why: 'unmatched' }],
  [
    { isMatched: false, isSpam: true },
    { kind: 'drop', why: 'spam' },
  ],
  [{ isTooLarge: true }, { kind: 'answer', why: 'too-large' }],
  [{ sameTexts: MAIL_BOUNDS.sameText }, { kind: 'drop', why: 'loop' }],
])('a mail with %j becomes %j', (changes, decision) => {
  expect(decideMail({ ...GOOD, ...changes })).toEqual(decision)
})

it('only a readable, matched mail of a person becomes a message, and no program is answered', () => {
  const flag = fc.boolean()
  const facts = fc.record({
    report: fc.constantFrom(null, { isFinal: true }, { isFinal: false }),
    isReadable: flag,
    sender: fc.constantFrom(null, 'anna@example.test'),
    isOwn: flag,
    isAutomatic: flag,
    isSpam: flag,
    isTooLarge: flag,
    isMatched: flag,
    sentThisHour: fc.nat(40),
    sameTexts: fc.nat(5),
  })
  fc.assert(
    fc.property(facts, (mail) => {
      const { kind } = decideMail(mail)
      if (kind === 'message')
        expect(mail).toMatchObject({ isMatched: true, isReadable: true, isAutomatic: false, report: null })
      if (kind === 'answer') expect(mail).toMatchObject({ isAutomatic: false, isOwn: false, report: null })
    }),
  )
})

it('a stranger is answered once, the world a bounded number of times, and strangers use up no answer of a person', () => {
  expect(mayAnswer({ isMatched: false, toSender: 0, toAll: 0 })).toBe(true)
  expect(mayAnswer({ isMatched: false, toSender: 1, toAll: 1 })).toBe(false)
  expect(mayAnswer({ isMatched: false, toSender: 0, toAll: MAIL_BOUNDS.answersPerDay })).toBe(false)
  expect(mayAnswer({ isMatched: true, toSender: 1, toAll: MAIL_BOUNDS.answersPerDay })).toBe(true)
  expect(mayAnswer({ isMatched: true, toSender: MAIL_BOUNDS.answersPerPerson, toAll: 0 })).toBe(false)
  expect(OLDEST_MAIL_MS).toBeLessThan(RECEIVED_LIFE_MS)
})

it('a mail that is not given is asked for later each time, over more than eight hours, then once a day', () => {
  const waits = Array.from({ length: 12 }, (_, at) => askAgainAfterMs(at + 1))
  expect(waits).toEqual([
    ...[1, 2, 4, 8, 16, 32, 64, 128, 256].map((minutes) => minutes * 60_000),
    ...Array.from({ length: 3 }, () => 86_400_000),
  ])
})

it.each([
  ['TICKET_CLOSED', true, 'closed', '/dashboard/ticket/t'],
  ['TICKET_TOO_OLD', true, 'closed-long', '/dashboard/ticket?follows=t'],
  ['TICKET_CLOSED', false, 'closed-for-added', '/dashboard/ticket'],
  ['TICKET_TOO_OLD', false, 'closed-for-added', '/dashboard/ticket'],
  ['TICKETS_DISABLED', true, 'switched-off', '/dashboard/ticket/t'],
  ['NOT_FOUND', true, 'unmatched', '/dashboard/ticket/t'],
] as const)('a mail that is refused with %s, from the opener: %s, is answered with %s', (code, isOpener, why, page) => {
  expect([answerTo(code, { isOpener }), pageOfAnswer(why, 't')]).toEqual([why, page])
  expect(pageOfAnswer(why, null)).toBe('/dashboard/tickets')
})
