import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  areResultsShown,
  RESULT_DAYS,
  sharesOf,
  shownVoting,
  voteRefusal,
  votingState,
} from '../../../../src/domain/votings/voting.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY_MS = 86_400_000
const voting = (id: string, openedDaysAgo: number, endsInDays: number | null) => ({
  id,
  openedAtMs: NOW - openedDaysAgo * DAY_MS,
  endsAtMs: endsInDays === null ? null : NOW + endsInDays * DAY_MS,
  optionIds: ['yes', 'no'],
})

describe('the state of a voting', () => {
  test.each([
    ['without an end', null, 'active'],
    ['a moment before its end', NOW + 1, 'active'],
    ['at its end', NOW, 'ended'],
    ['after its end', NOW - 1, 'ended'],
  ] as const)('%s', (_case, endsAtMs, state) => {
    expect(votingState({ endsAtMs }, NOW)).toBe(state)
  })
})

describe('the shown voting', () => {
  it('is the one that runs, whatever ended meanwhile', () => {
    expect(shownVoting([voting('old', 9, -1), voting('running', 5, 2), voting('older', 30, -20)], NOW)?.id).toBe(
      'running',
    )
  })

  it('is the one that ended last while none runs, whenever it was opened', () => {
    expect(shownVoting([voting('long', 60, -1), voting('short', 9, -3)], NOW)?.id).toBe('long')
  })

  it('is none a week after the last end, or when none was ever opened', () => {
    const last = voting('last', 30, -RESULT_DAYS)
    expect(shownVoting([last], NOW)).toBeUndefined()
    expect(shownVoting([last], NOW - 1)?.id).toBe('last')
    expect(shownVoting([], NOW)).toBeUndefined()
  })

  it('is the newer one if two seem to run by a clock that is late', () => {
    expect(shownVoting([voting('before', 9, 0.001), voting('after', -0.001, null)], NOW)?.id).toBe('after')
  })
})

describe('a vote', () => {
  it('counts while the voting runs and has the option', () => {
    expect(voteRefusal(voting('v', 1, null), { optionId: 'yes', nowMs: NOW })).toBeUndefined()
  })

  test.each([
    ['of a voting that does not exist', undefined, 'yes', 'NOT_FOUND'],
    ['at the end', voting('v', 1, 0), 'yes', 'VOTING_ENDED'],
    ['for an option that is gone', voting('v', 1, 1), 'maybe', 'VOTE_OPTION_GONE'],
    ['for an option that is gone, after the end', voting('v', 2, -1), 'maybe', 'VOTING_ENDED'],
  ] as const)('%s is refused', (_case, of, optionId, code) => {
    expect(voteRefusal(of, { optionId, nowMs: NOW })).toBe(code)
  })
})

test.each([
  ['active', false, false],
  ['active', true, true],
  ['ended', false, true],
  ['ended', true, true],
] as const)('results of a voting that is %s, for somebody who voted (%s): shown %s', (state, hasVoted, shown) => {
  expect(areResultsShown({ state, hasVoted })).toBe(shown)
})

describe('shares', () => {
  test.each([
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [1, 999],
      [0, 100],
    ],
    [
      [2, 1],
      [67, 33],
    ],
    [
      [1, 1, 1, 1, 1, 1],
      [17, 17, 17, 17, 16, 16],
    ],
  ])('of %j are %j', (counts, shares) => {
    expect(sharesOf(counts)).toEqual(shares)
  })

  it('sum to 100 and are each less than one per cent from the exact share', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { minLength: 2, maxLength: 10 }), (counts) => {
        const total = counts.reduce((sum, count) => sum + count, 0)
        fc.pre(total > 0)
        const shares = sharesOf(counts)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100)
        for (const [at, share] of shares.entries())
          expect(Math.abs(share - ((counts[at] ?? 0) * 100) / total)).toBeLessThan(1)
      }),
    )
  })
})
