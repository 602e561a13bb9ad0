import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { forints, type Money } from '#domain/billing/money.ts'
import { spanOfUpgrade, spansOfMonths } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { refundRejectedSize, judgeSize, TAKE_WITHIN_MS, type SizeOnItsWay } from '#domain/billing/rejected-resize.ts'

const START = Date.UTC(2026, 5, 1)
const NODE = { isReachable: true, isBehind: false, connectedAtMs: START }
/** Asked at the start, and no answer yet. */
const ASKED: SizeOnItsWay = {
  charge: forints(1500n),
  generation: 3,
  observedGeneration: 2,
  wasTaken: false,
  isNewest: true,
  hasRefused: false,
  askedSinceMs: START,
  node: NODE,
  nowMs: START + TAKE_WITHIN_MS,
}
const REFUSED: SizeOnItsWay = { ...ASKED, hasRefused: true, askedSinceMs: undefined, nowMs: START + 1 }

describe('T51: a size on its way to its node', () => {
  test.each<[string, SizeOnItsWay, object]>([
    ['not answered for ten minutes', ASKED, { act: 'reverse', because: 'silent' }],
    ['not answered for less', { ...ASKED, nowMs: START + TAKE_WITHIN_MS - 1 }, { act: 'wait' }],
    ['refused', REFUSED, { act: 'reverse', because: 'refused' }],
    [
      'refused, of a node that is away since',
      { ...REFUSED, node: { ...NODE, isReachable: false } },
      { act: 'reverse' },
    ],
    ['refused, and asked for again just now', { ...REFUSED, askedSinceMs: START }, { act: 'wait' }],
    ['asked of a node that is away', { ...ASKED, node: { ...NODE, isReachable: false } }, { act: 'wait' }],
    [
      'asked of a node that has just come back',
      { ...ASKED, node: { ...NODE, connectedAtMs: START + 1 } },
      { act: 'wait' },
    ],
    ['asked of a node that owes what happened', { ...ASKED, node: { ...NODE, isBehind: true } }, { act: 'wait' }],
    ['refused by a node that owes what happened', { ...REFUSED, node: { ...NODE, isBehind: true } }, { act: 'wait' }],
    ['never asked: it is being installed', { ...ASKED, askedSinceMs: undefined }, { act: 'wait' }],
    ['taken', { ...ASKED, observedGeneration: 3 }, { act: 'keep', because: 'taken' }],
    ['taken, with what came later', { ...REFUSED, observedGeneration: 4 }, { act: 'keep', because: 'taken' }],
    ['taken once, by a node that lost it', { ...REFUSED, wasTaken: true }, { act: 'keep', because: 'taken' }],
    ['changed since', { ...REFUSED, isNewest: false }, { act: 'keep', because: 'changed-since' }],
    ['that cost nothing', { ...REFUSED, charge: forints(0n) }, { act: 'keep', because: 'unpaid' }],
  ])('%s', (_what, size, verdict) => {
    expect(judgeSize(size)).toMatchObject(verdict)
  })

  it('is given back for nothing but a refusal or ten minutes of silence, whatever else is so', () => {
    const anyTime = fc.integer({ min: START, max: START + 3 * TAKE_WITHIN_MS })
    const node = fc.record({ isReachable: fc.boolean(), isBehind: fc.boolean(), connectedAtMs: anyTime })
    const size: fc.Arbitrary<SizeOnItsWay> = fc.record({
      charge: fc.bigInt(0n, 2n).map(forints),
      generation: fc.integer({ min: 2, max: 4 }),
      observedGeneration: fc.integer({ min: 0, max: 5 }),
      wasTaken: fc.boolean(),
      isNewest: fc.boolean(),
      hasRefused: fc.boolean(),
      askedSinceMs: fc.option(anyTime, { nil: undefined }),
      node,
      nowMs: anyTime,
    })
    fc.assert(
      fc.property(size, (each) => {
        const verdict = judgeSize(each)
        if (verdict.act !== 'reverse') return
        const { charge, observedGeneration, generation, wasTaken, isNewest, hasRefused, askedSinceMs, nowMs } = each
        const isThere = each.node.isReachable && !each.node.isBehind
        expect([charge.minor > 0n, observedGeneration < generation, wasTaken, isNewest]).toEqual([
          true,
          true,
          false,
          true,
        ])
        if (verdict.because === 'refused') expect(hasRefused).toBe(true)
        else {
          expect(isThere && nowMs - (askedSinceMs ?? nowMs) >= TAKE_WITHIN_MS).toBe(true)
          expect(nowMs - each.node.connectedAtMs).toBeGreaterThanOrEqual(TAKE_WITHIN_MS)
        }
      }),
    )
  })
})

const monthOf = (price: bigint, startMs: number) =>
  spansOfMonths({ startMs, monthly: forints(price), paidByMonth: [forints(price)] })

describe('T51: what comes back of a size that was never there', () => {
  const [ordered] = monthOf(1500n, START)
  const changedAtMs = START + BILLING_MONTH_MS / 2
  const upgrade = spanOfUpgrade({
    nowMs: changedAtMs,
    expiresAtMs: START + BILLING_MONTH_MS,
    from: forints(1500n),
    to: forints(3000n),
    paid: forints(750n),
  })
  const own = { ...upgrade, isOfChange: true }
  const month = { ...(ordered as NonNullable<typeof ordered>), isOfChange: false }
  const wish = { downTo: forints(1500n), changedAtMs }
  const returned = (spans: readonly { returned: Money }[]) => spans.map((span) => span.returned.minor)

  it('is the whole charge, and nothing of what was paid before', () => {
    const { amount, spans } = refundRejectedSize([month, own], wish)
    expect([amount.minor, returned(spans)]).toEqual([750n, [0n, 750n]])
    expect(spans[1]?.heldMonthly).toEqual(forints(1500n))
  })

  it('is what stands of it where a part came back before', () => {
    const parted = { ...own, returned: forints(700n), ahead: forints(200n), heldMonthly: forints(1500n) }
    expect(refundRejectedSize([month, parted], wish).amount.minor).toBe(50n)
    expect(refundRejectedSize([month, { ...own, returned: own.paid }], wish).amount.minor).toBe(0n)
  })

  it('is the larger part of what was renewed since, too', () => {
    const [renewed] = monthOf(3000n, START + BILLING_MONTH_MS)
    const later = { ...(renewed as NonNullable<typeof renewed>), isOfChange: false }
    const { amount, spans } = refundRejectedSize([month, own, later], wish)
    expect([amount.minor, returned(spans)]).toEqual([2250n, [0n, 750n, 1500n]])
    expect(spans[2]?.heldMonthly).toEqual(forints(1500n))
  })

  it('never is more than was paid for a span, and nothing the second time', () => {
    const price = fc.bigInt(1n, 9000n)
    const case_ = fc.record({ price, more: price, back: fc.nat(100), ahead: fc.nat(100), renewed: fc.boolean() })
    fc.assert(
      fc.property(case_, ({ price: low, more, back, ahead, renewed }) => {
        const given = (more * BigInt(back)) / 100n
        const span = spanOfUpgrade({
          nowMs: changedAtMs,
          expiresAtMs: START + BILLING_MONTH_MS,
          from: forints(low),
          to: forints(low + more),
          paid: forints(more),
        })
        const change = { ...span, returned: forints(given), ahead: forints((given * BigInt(ahead)) / 100n) }
        const later = renewed ? monthOf(low + more, START + BILLING_MONTH_MS) : []
        const before = [
          ...monthOf(low, START).map((each) => ({ ...each, isOfChange: false })),
          { ...change, isOfChange: true },
          ...later.map((each) => ({ ...each, isOfChange: false })),
        ]
        const down = { downTo: forints(low), changedAtMs }
        const { amount, spans } = refundRejectedSize(before, down)
        expect(amount.minor).toBe(more - given + (renewed ? more : 0n))
        expect(spans.every((each) => each.returned.minor <= each.paid.minor)).toBe(true)
        expect(spans[0]?.returned.minor).toBe(0n)
        const again = spans.map((each, index) => ({ ...each, isOfChange: index === 1 }))
        expect(refundRejectedSize(again, down).amount.minor).toBe(0n)
      }),
    )
  })
})
