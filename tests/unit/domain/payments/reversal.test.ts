import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  creditedShareFt,
  DISPUTE_STATES,
  disputeOfAll,
  isAway,
  nextReversal,
  nextReversalState,
  REFUND_STATES,
  refundedShareFt,
  type Reversal,
} from '#domain/payments/reversal.ts'

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

  it.each([
    ['the first amount counts while it is open', 'open', 4000n, 5000n],
    ['its end may tell another', 'lost', 4000n, 4000n],
    ['its end may tell more', 'lost', 6000n, 6000n],
    ['what is won keeps it', 'won', 4000n, 5000n],
  ] as const)('of a dispute %s', (_name, state, minor, kept) => {
    const known: Reversal = { kind: 'dispute', id: 'a', minor: 5000n, whole: 9000n, state: 'open', refundId: null }
    expect(nextReversal(known, { ...known, state, minor })).toEqual({ ...known, state, minor: kept })
  })

  it('of several ends of a dispute the smallest counts, in any order and any unit', () => {
    const end = (minor: bigint, whole: bigint): Reversal => ({
      kind: 'dispute',
      id: 'a',
      minor,
      whole,
      state: 'lost',
      refundId: null,
    })
    const [large, small] = [end(1n, 1n), end(4000n, 20_000n)]
    expect(nextReversal(large, small)).toEqual(small)
    expect(nextReversal(small, large)).toEqual(small)
    expect(nextReversal({ ...small, state: 'won' }, large)).toEqual({ ...small, state: 'won' })
    const sent: Reversal = { ...small, kind: 'refund', state: 'pending' }
    expect(nextReversal(sent, { ...sent, state: 'succeeded', minor: 1n })).toEqual({ ...sent, state: 'succeeded' })
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

  it('of refunds is that of all that did not fail, rounded once', () => {
    const part: Reversal = { kind: 'refund', id: 'a', minor: 1n, whole: 3n, state: 'succeeded', refundId: null }
    const failed: Reversal = { ...part, id: 'c', state: 'failed' }
    const disputed: Reversal = { ...part, kind: 'dispute', state: 'lost' }
    expect(refundedShareFt(100n, [part, { ...part, id: 'b', state: 'pending' }, failed, disputed])).toBe(67n)
    expect(refundedShareFt(100n, [])).toBe(0n)
    const nameless: Reversal = { ...part, id: '', minor: 3n }
    expect(refundedShareFt(100n, [nameless])).toBe(100n)
    expect(refundedShareFt(100n, [nameless, failed])).toBe(0n)
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
