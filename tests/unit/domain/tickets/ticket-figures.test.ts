import { expect, it } from 'vitest'
import { LEAST_REPLIES } from '#domain/tickets/reply-time.ts'
import { figuresOf, lastDays, type Tally } from '#domain/tickets/ticket-figures.ts'

const tally = (kind: Tally['kind'], facts: Partial<Tally> = {}): Tally => ({
  kind,
  count: LEAST_REPLIES,
  waits: [5_000, 9_000],
  good: 0,
  bad: 0,
  ...facts,
})
const NOTHING = {
  opened: 0,
  answered: 0,
  solved: 0,
  unanswered: 0,
  waiting: 0,
  firstReply: null,
  solving: null,
  good: 0,
  bad: 0,
}

it('counts each kind under its name, and times of what staff did alone', () => {
  expect(figuresOf([])).toEqual(NOTHING)
  const figures = figuresOf([
    tally('opened', { count: 14, waits: null }),
    tally('answered'),
    tally('solved', { count: 11, waits: [60_000, 90_000] }),
    tally('unanswered', { count: 12, waits: [1, 2] }),
    tally('waiting', { count: 3, waits: null }),
  ])
  expect(figures).toEqual({
    ...NOTHING,
    opened: 14,
    answered: LEAST_REPLIES,
    firstReply: { medianMs: 5_000, ninetyPercentMs: 9_000 },
    solved: 11,
    solving: { medianMs: 60_000, ninetyPercentMs: 90_000 },
    unanswered: 12,
    waiting: 3,
  })
})

it('says no time below ten tickets, for replies and for solving alike', () => {
  const few = { count: LEAST_REPLIES - 1 }
  expect(figuresOf([tally('answered', few), tally('solved', few)])).toMatchObject({ firstReply: null, solving: null })
})

it('adds the ratings of tickets closed with a reply and without', () => {
  const figures = figuresOf([tally('solved', { good: 4, bad: 1 }), tally('unanswered', { bad: 2 })])
  expect([figures.good, figures.bad]).toEqual([4, 3])
})

it('ends with today, also over the end of a month and of summer time', () => {
  expect(lastDays('2026-03-02', '7')).toEqual([
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
  const days = lastDays('2026-11-20', '90')
  expect([days.length, new Set(days).size, days[0], days.at(-1)]).toEqual([90, 90, '2026-08-23', '2026-11-20'])
})
