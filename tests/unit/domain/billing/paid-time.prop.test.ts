import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideModification } from '#domain/billing/modification.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { spansOfMonths, unusedPaid, type PaidSpan } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { decideRenewal } from '#domain/billing/renewal.ts'

const START = Date.UTC(2027, 9, 20, 23, 17)
const RICH = forints(10n ** 12n)
const MONTH = BigInt(BILLING_MONTH_MS)

type Books = { monthly: Money; expiresAtMs: number; spans: readonly PaidSpan[]; paidFt: bigint; steps: number }

/** Another size from now on; the books as they were where that is refused. */
function resized(books: Books, monthlyFt: bigint, nowMs: number): Books {
  const decided = decideModification({
    server: { isTest: false, ...books },
    newMonthly: forints(monthlyFt),
    isSameSize: false,
    nowMs,
    available: RICH,
    discountPercent: 0,
  })
  if (!decided.ok) return books
  const { charge, back, monthly, spans } = decided
  return { ...books, monthly, spans, paidFt: books.paidFt + charge.minor - back.minor, steps: books.steps + 1 }
}

function renewed(books: Books, months: number, nowMs: number): Books {
  const server = { id: 's', isTest: false, expiresAtMs: books.expiresAtMs, monthly: books.monthly }
  const renewal = decideRenewal({ server, months, nowMs, available: RICH, discountPercent: 0 })
  if (!renewal.ok) return books
  return {
    ...books,
    expiresAtMs: renewal.period.endMs,
    spans: [...books.spans, ...renewal.spans],
    paidFt: books.paidFt + renewal.total.minor,
    steps: books.steps + 1,
  }
}

it('case 81: 1,000 sequences of larger, smaller and longer cost what the used time costs, to a forint for each step', () => {
  const price = fc.bigInt({ min: 1n, max: 50_000n })
  const step = fc.record({
    waitMs: fc.nat({ max: 12 * 86_400_000 }),
    act: fc.oneof({ weight: 4, arbitrary: price }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  })
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 12 }), (first, months, steps) => {
      const paidByMonth = Array.from({ length: months }, () => forints(first))
      let books: Books = {
        monthly: forints(first),
        expiresAtMs: START + months * BILLING_MONTH_MS,
        spans: spansOfMonths({ startMs: START, monthly: forints(first), paidByMonth }),
        paidFt: first * BigInt(months),
        steps: 0,
      }
      let nowMs = START
      // Forints x milliseconds of a month: what the time that went by costs without any rounding.
      let used = 0n
      for (const { waitMs, act } of steps) {
        const heldMs = Math.min(waitMs, books.expiresAtMs - 1 - nowMs)
        used += books.monthly.minor * BigInt(heldMs)
        nowMs += heldMs
        books = typeof act === 'bigint' ? resized(books, act, nowMs) : renewed(books, act, nowMs)
      }
      const left = unusedPaid(books.spans, { nowMs, currency: 'HUF' }).minor
      const off = (books.paidFt - left) * MONTH - used
      const rounding = BigInt(books.steps + 1) * MONTH
      expect(off >= -rounding && off <= rounding).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
