import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { spansOfMonths } from '#domain/billing/paid-time.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { withdrawalDeadlineMs } from '#domain/billing/withdrawal-deadline.ts'
import {
  CONFIRM_WITHIN_MS,
  decideWithdrawal,
  expiryAfterWithdrawal,
  spinsOfTier,
  withoutDiscounts,
  withoutUsedSpins,
  type WithdrawalRequest,
  type WithdrawalSubject,
} from '#domain/billing/withdrawal.ts'

const CONCLUDED = Date.UTC(2026, 10, 2, 13)
const DEADLINE = withdrawalDeadlineMs(CONCLUDED)
const order = (...paid: bigint[]): WithdrawalSubject => ({
  kind: 'order',
  spans: spansOfMonths({ startMs: CONCLUDED, monthly: forints(3000n), paidByMonth: paid.map((each) => forints(each)) }),
  hasLaterRenewal: false,
})
const request = (changes: Partial<WithdrawalRequest> = {}): WithdrawalRequest => ({
  subject: order(3000n, 3000n),
  isConsumer: true,
  wasWithdrawn: false,
  concludedAtMs: CONCLUDED,
  begunAtMs: changes.nowMs ?? CONCLUDED,
  nowMs: CONCLUDED,
  askedForImmediateStart: true,
  currency: 'HUF',
  ...changes,
})

describe('withdrawal', () => {
  it.each([
    [0, 6000n, 0n],
    [0.9, 6000n, 0n],
    [1, 5900n, 100n],
    [10, 5000n, 1000n],
    [14, 4600n, 1400n],
  ])('after %s days gives back %s Ft and keeps %s Ft for the days that are over', (days, back, kept) => {
    const decided = decideWithdrawal(request({ nowMs: CONCLUDED + days * DAY_MS }))
    expect(decided).toMatchObject({
      ok: true,
      deadlineMs: DEADLINE,
      back: forints(back),
      kept: forints(kept),
    })
    const spans = decided.ok ? decided.spans : []
    expect(spans.reduce((sum, { returned }) => sum + returned.minor, 0n)).toBe(back)
    expect(spans.every(({ heldMonthly }) => heldMonthly.minor === 0n)).toBe(true)
  })

  it('keeps a share of what was paid, not of the list price', () => {
    expect(decideWithdrawal(request({ subject: order(1500n), nowMs: CONCLUDED + 10 * DAY_MS }))).toMatchObject({
      back: forints(1000n),
      kept: forints(500n),
    })
  })

  it('keeps nothing where nobody asked for an immediate start', () => {
    const late = request({ nowMs: CONCLUDED + 14 * DAY_MS, askedForImmediateStart: false })
    expect(decideWithdrawal(late)).toMatchObject({ back: forints(6000n), kept: forints(0n) })
  })

  it.each([
    [10, 10, 1000n],
    [10, 4, 400n],
    [3, 1, 333n],
    [3, 9, 1000n],
  ])('of %s bought spins with %s unused gives back %s Ft', (bought, unused, back) => {
    const subject = { kind: 'spins', bought, unused, paid: forints(1000n) } as const
    expect(decideWithdrawal(request({ subject }))).toMatchObject({ back: forints(back), kept: forints(1000n - back) })
  })

  it.each<[string, Partial<WithdrawalRequest>]>([
    ['ALREADY_WITHDRAWN', { wasWithdrawn: true }],
    ['NOT_A_CONSUMER', { isConsumer: false }],
    ['WITHDRAWAL_TOO_LATE', { nowMs: DEADLINE }],
    ['LATER_RENEWAL_FIRST', { subject: { kind: 'renewal', spans: [], hasLaterRenewal: true } }],
    ['NOTHING_LEFT', { subject: { kind: 'spins', bought: 3, unused: 0, paid: forints(1n) } }],
  ])('is refused with %s', (code, changes) => {
    expect(decideWithdrawal(request(changes))).toEqual({ ok: false, code })
  })

  it('can be confirmed for a day by who began in time', () => {
    const begunAtMs = DEADLINE - 1
    expect(decideWithdrawal(request({ nowMs: DEADLINE - 1 }))).toMatchObject({ ok: true })
    expect(decideWithdrawal(request({ begunAtMs, nowMs: begunAtMs + CONFIRM_WITHIN_MS }))).toMatchObject({ ok: true })
    expect(decideWithdrawal(request({ begunAtMs, nowMs: begunAtMs + CONFIRM_WITHIN_MS + 1 }))).toMatchObject({
      ok: false,
    })
    expect(decideWithdrawal(request({ begunAtMs: DEADLINE, nowMs: DEADLINE }))).toMatchObject({ ok: false })
  })

  it('gives back and keeps what was paid in all, and keeps more with every day', () => {
    const paid = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(paid, fc.nat({ max: 15 * DAY_MS - 1 }), fc.nat({ max: DAY_MS }), (each, sinceMs, moreMs) => {
        const keptAt = (nowMs: number): bigint => {
          const decided = decideWithdrawal(request({ subject: order(...each), nowMs, begunAtMs: CONCLUDED + sinceMs }))
          if (!decided.ok) return -1n
          expect(decided.back.minor + decided.kept.minor).toBe(each.reduce((a, b) => a + b, 0n))
          return decided.kept.minor
        }
        const first = keptAt(CONCLUDED + sinceMs)
        const second = keptAt(CONCLUDED + sinceMs + moreMs)
        if (first >= 0n && second >= 0n) expect(second >= first).toBe(true)
      }),
    )
  })

  it.each([
    [0, 1900n, 100n],
    [2, 1500n, 500n],
    [10, 0n, 2000n],
    [-1, 1900n, 100n],
  ])('of premium with %s used free spins of 200 Ft gives back %s Ft', (count, back, kept) => {
    const decided = { ok: true, deadlineMs: DEADLINE, back: forints(1900n), kept: forints(100n), spans: [] } as const
    expect(withoutUsedSpins(decided, { count, price: forints(200n) })).toMatchObject({
      back: forints(back),
      kept: forints(kept),
    })
  })

  it.each([
    [0n, 6000n, 0n],
    [1350n, 4650n, 1350n],
    [9000n, 0n, 6000n],
  ])('keeps discounts of %s Ft, and never more than would come back: %s back, %s kept', (had, back, kept) => {
    const decided = decideWithdrawal(request())
    if (!decided.ok) throw new Error(decided.code)
    expect(withoutDiscounts(decided, forints(had))).toMatchObject({ back: forints(back), kept: forints(kept) })
  })

  it('ends the paid time now, or before it began', () => {
    expect(expiryAfterWithdrawal(100, 50)).toBe(100)
    expect(expiryAfterWithdrawal(100, 150)).toBe(150)
  })
})

it.each([
  [2, 0, 2, 0],
  [2, 1, 1, 1],
  [2, 5, 0, 2],
])('of %s spins of a tier with %s free ones left, %s were used and %s were not', (given, left, used, unused) => {
  expect(spinsOfTier({ given, left })).toEqual({ used, unused })
})
