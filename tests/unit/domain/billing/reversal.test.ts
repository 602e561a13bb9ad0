import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  creditedShareFt,
  DISPUTE_STATES,
  disputeOfAll,
  isAway,
  nextReversalState,
  REFUND_STATES,
} from '#domain/billing/reversal.ts'

describe('what goes back at a provider', () => {
  it.each([REFUND_STATES, DISPUTE_STATES])('T07: all orders of all looks of %j end alike', (...states) => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom(...states), { minLength: 1, maxLength: 8 })
          .chain((looks) => fc.tuple(fc.constant(looks), fc.shuffledSubarray(looks, { minLength: looks.length }))),
        ([looks, order]) => {
          const end = (list: typeof looks) => list.reduce((known, seen) => nextReversalState(known, seen))
          expect(end(order)).toBe(end(looks))
        },
      ),
    )
  })

  it('is away from us until it failed or was won', () => {
    expect([...REFUND_STATES, ...DISPUTE_STATES].filter(isAway)).toEqual(['pending', 'succeeded', 'open', 'lost'])
  })

  it.each([
    [[], 'none'],
    [['won'], 'won'],
    [['won', 'lost'], 'lost'],
    [['lost', 'open', 'won'], 'open'],
  ] as const)('disputes %j are %s together', (states, word) => expect(disputeOfAll(states)).toBe(word))
})

describe('the share of a credit that a part of what was paid stands for', () => {
  it.each([
    [5000n, 120_000n, 500_000n, 1200n],
    [800n, 1905n, 1905n, 800n],
    [800n, 953n, 1905n, 401n],
    [5000n, 1n, 500_000n, 1n],
    [5000n, 0n, 500_000n, 0n],
    [5000n, 600_000n, 500_000n, 5000n],
  ])('of %i Ft for %i of %i is %i Ft', (credited, minor, whole, share) => {
    expect(creditedShareFt(credited, { minor, whole })).toBe(share)
  })

  it('I8: is never more than the credit, and never less than its exact part', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(
      fc.property(amount, amount, amount, (credited, minor, whole) => {
        const share = creditedShareFt(credited, { minor, whole })
        expect(share <= credited).toBe(true)
        if (minor < whole) expect(share * whole >= credited * minor).toBe(true)
      }),
    )
  })
})
