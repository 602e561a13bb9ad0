import { describe, expect, it } from 'vitest'
import type { ServerWord } from '../../../../../src/domain/servers/status.ts'
import { staffRuleOf } from '../../../../../src/domain/known-errors/staff-rules.ts'
import {
  nextCards,
  noCards,
  shownCards,
  shownStaffCards,
  withoutCard,
} from '../../../../../src/features/console/known-errors/cards.ts'
import { appendLines, emptyLog } from '../../../../../src/features/console/log/log-buffer.ts'
import type { ConsoleLine } from '../../../../../src/contracts/panel/messages.ts'

const NOW = 1_800_000_000_000
const FULL = 'java.io.IOException: No space left on device'

const logOf = (...lines: readonly ConsoleLine[]) => appendLines(emptyLog, lines)
const line = (seq: number, text: string, agoMs = 0, stream: ConsoleLine[2] = 'o'): ConsoleLine => [
  seq,
  NOW - agoMs,
  stream,
  text,
]
const source = (log: ReturnType<typeof logOf>, word: ServerWord, isFirst = true) => ({ log, word, isFirst, nowMs: NOW })
const shownIds = (cards: typeof noCards) => shownCards(cards).map(({ id, seq }) => `${id} ${seq}`)

describe('cards of known errors', () => {
  it('show the newest line of a crashed server, once for each rule', () => {
    const cards = nextCards(noCards, source(logOf(line(1, FULL), line(2, 'at x'), line(3, FULL)), 'crashed'))
    expect(shownIds(cards)).toEqual(['disk-full 3'])
  })

  it('read each line once', () => {
    const first = logOf(line(1, FULL))
    const cards = nextCards(noCards, source(first, 'crashed'))
    expect(nextCards(cards, source(first, 'crashed'))).toBe(cards)
    const next = nextCards(cards, source(appendLines(first, [line(2, 'Error: EACCES: permission denied')]), 'crashed'))
    expect(shownIds(next)).toEqual(['disk-full 1', 'permission 2'])
  })

  it('are silent about an earlier run', () => {
    const log = logOf(line(1, FULL, 3_600_000), line(2, 'Stopping'))
    expect(shownIds(nextCards(noCards, source(log, 'crashed')))).toEqual([])
  })

  it('are silent about a server that was stopped', () => {
    expect(shownIds(nextCards(noCards, source(logOf(line(1, FULL)), 'offline')))).toEqual([])
  })

  it('about a damaged world stay when the server is stopped: only then it is repaired', () => {
    const log = logOf(line(1, FULL), line(2, 'Failed to load level.dat'))
    let cards = nextCards(noCards, source(log, 'starting'))
    expect(shownIds(cards)).toEqual(['disk-full 1', 'world-corrupt 2'])
    for (const word of ['stopping', 'offline'] as const) {
      cards = nextCards(cards, source(log, word, false))
      expect(shownIds(cards)).toEqual(['world-corrupt 2'])
    }
    expect(shownIds(nextCards(cards, source(log, 'installing', false)))).toEqual([])
    expect(shownIds(nextCards(cards, source(log, 'running', false)))).toEqual([])
  })

  it('are silent about lines from before the page, while the server runs', () => {
    const opened = nextCards(noCards, source(emptyLog, 'running'))
    const log = logOf(line(1, FULL, 5_000))
    expect(shownIds(nextCards(opened, source(log, 'running')))).toEqual([])
    expect(shownIds(nextCards(opened, source(appendLines(log, [line(2, FULL)]), 'running')))).toEqual(['disk-full 2'])
  })

  it('stay while the machine is away for a moment: the same run goes on', () => {
    const opened = nextCards(noCards, source(emptyLog, 'running'))
    const log = logOf(line(1, FULL))
    let cards = nextCards(opened, source(log, 'running', false))
    for (const word of ['nodeoffline', 'running', 'unknown', 'running'] as const) {
      cards = nextCards(cards, source(log, word, false))
    }
    expect(shownIds(cards)).toEqual(['disk-full 1'])
  })

  it('go when the server runs again, and may return in its next run', () => {
    const log = logOf(line(1, FULL))
    const crashed = nextCards(noCards, source(log, 'crashed'))
    const running = nextCards(crashed, source(log, 'running', false))
    expect(shownIds(running)).toEqual([])
    expect(shownIds(nextCards(running, source(appendLines(log, [line(2, 'Done')]), 'running', false)))).toEqual([])
    const again = nextCards(running, source(appendLines(log, [line(2, FULL)]), 'crashed', false))
    expect(shownIds(again)).toEqual(['disk-full 2'])
  })

  it('stay closed until the next run, also when the line repeats', () => {
    const log = logOf(line(1, FULL))
    const closed = withoutCard(nextCards(noCards, source(log, 'crashed')), 'disk-full')
    expect(shownIds(nextCards(closed, source(appendLines(log, [line(2, FULL)]), 'crashed')))).toEqual([])
  })

  it('never come from chat or from a note of the node', () => {
    const log = logOf(line(1, `[12:00:00] [Server thread/INFO]: <Kata> ${FULL}`), line(2, FULL, 0, 'x'))
    expect(shownIds(nextCards(noCards, source(log, 'crashed')))).toEqual([])
  })
})

describe("cards of staff's rules", () => {
  const rules = ['oven', 'kettle'].flatMap((id) => staffRuleOf({ id, pattern: `the ${id} is cold` }) ?? [])
  const log = logOf(line(1, 'The oven is cold', 3_600_000), line(2, 'The oven is cold'), line(3, 'The oven is cold'))
  const staffIds = (cards: typeof noCards) => shownStaffCards(cards).map(({ id, seq }) => `${id} ${seq}`)

  it('are one for each rule with its newest line, also for lines from before the rules arrived', () => {
    const before = nextCards(noCards, source(log, 'crashed'))
    expect(staffIds(before)).toEqual([])
    const cards = nextCards(before, { ...source(log, 'crashed'), rules })
    expect(staffIds(cards)).toEqual(['oven 3'])
    expect(nextCards(cards, { ...source(log, 'crashed'), rules })).toBe(cards)
    const next = appendLines(log, [line(4, 'The kettle is cold'), line(5, 'The oven is cold')])
    expect(staffIds(nextCards(cards, { ...source(next, 'crashed'), rules }))).toEqual(['oven 5', 'kettle 4'])
  })

  it('stay closed when the rules change, and go with a rule that is switched off', () => {
    const cards = withoutCard(nextCards(noCards, { ...source(log, 'crashed'), rules }), 'oven')
    expect(staffIds(nextCards(cards, { ...source(log, 'crashed'), rules: [...rules] }))).toEqual([])
    const open = nextCards(noCards, { ...source(log, 'crashed'), rules })
    expect(staffIds(nextCards(open, { ...source(log, 'crashed'), rules: rules.slice(1) }))).toEqual([])
  })

  it('are silent about the run before, when rules arrive after a new one has begun', () => {
    const crashed = nextCards(noCards, source(log, 'crashed'))
    const running = nextCards(crashed, source(log, 'running', false))
    expect(staffIds(nextCards(running, { ...source(log, 'running', false), rules }))).toEqual([])
  })
})
