import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_MANUAL_FT,
  isBeyondOnePerson,
  mayDecide,
  proposalState,
  readManualCredit,
  splitManualCredit,
  type ManualCreditWish,
} from '#domain/payments/manual-credit.ts'
import { add, forints } from '#domain/billing/money.ts'

const WISH: ManualCreditWish = {
  direction: 'credit',
  amount: 500,
  bucket: 'money',
  withDebt: false,
  reason: 'Two days of outage',
}

describe('a wish to move a balance', () => {
  it.each([
    ['REASON_MISSING', { reason: 'too short' }],
    ['REASON_MISSING', { reason: '1234567890 ...... 1234' }],
    ['REASON_MISSING', { reason: 'x'.repeat(501) }],
    ['AMOUNT_INVALID', { amount: 0 }],
    ['AMOUNT_INVALID', { amount: -1 }],
    ['AMOUNT_INVALID', { amount: 0.5 }],
    ['AMOUNT_INVALID', { amount: '500' }],
    ['AMOUNT_INVALID', { amount: MAX_MANUAL_FT + 1 }],
    ['DEBT_OF_MONEY_ONLY', { withDebt: true }],
    ['DEBT_OF_MONEY_ONLY', { withDebt: true, direction: 'debit', bucket: 'bonus' }],
  ] as const)('is refused with %s: %o', (code, part) => {
    expect(readManualCredit({ ...WISH, ...part })).toEqual({ ok: false, code })
  })

  it('is read with an amount up to the bound', () => {
    expect(readManualCredit({ ...WISH, amount: MAX_MANUAL_FT })).toEqual({
      ok: true,
      amount: forints(BigInt(MAX_MANUAL_FT)),
    })
    expect(readManualCredit({ ...WISH, withDebt: true, direction: 'debit' }).ok).toBe(true)
  })
})

describe('what moves', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10_000_000n })
  const balances = fc.bigInt({ min: 0n, max: 10_000_000n })

  it('adds up to the amount, and takes no more than is free', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('credit' as const, 'debit' as const),
        amounts,
        fc.boolean(),
        balances,
        fc.boolean(),
        (direction, amountFt, withDebt, freeFt, owes) => {
          const wish = { direction, amount: forints(amountFt), withDebt }
          const split = splitManualCredit(wish, { free: forints(freeFt), owes })
          if (!split.ok) {
            expect(direction).toBe('debit')
            expect(withDebt).toBe(false)
            expect(owes || freeFt < amountFt).toBe(true)
            return
          }
          expect(add(split.balance, split.debt).minor).toBe(amountFt)
          if (direction === 'debit') expect(split.balance.minor <= freeFt).toBe(true)
          if (!withDebt || direction === 'credit') expect(split.debt.minor).toBe(0n)
        },
      ),
    )
  })
})

describe('the approver', () => {
  it.each([
    [10_000n, 0n, false],
    [10_001n, 0n, true],
    [1n, 10_000n, true],
    [1n, 9_999n, false],
  ])('%s Ft after %s Ft', (amount, givenFt, needed) => {
    expect(isBeyondOnePerson(forints(amount), { givenFt, limitFt: 10_000n })).toBe(needed)
  })

  it('is never left out by cutting an amount into parts', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 12_000n }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(parts, (all) => {
        let givenFt = 0n
        for (const part of all) {
          if (!isBeyondOnePerson(forints(part), { givenFt, limitFt: 10_000n })) givenFt += part
        }
        expect(givenFt <= 10_000n).toBe(true)
      }),
    )
  })

  it.each([
    ['open', 'other', 'confirm', undefined],
    ['open', 'other', 'refuse', undefined],
    ['open', 'own', 'confirm', 'OWN_PROPOSAL'],
    ['open', 'own', 'refuse', undefined],
    ['confirmed', 'other', 'confirm', 'DECIDED'],
    ['refused', 'other', 'refuse', 'DECIDED'],
    ['expired', 'other', 'confirm', 'EXPIRED'],
    ['expired', 'own', 'refuse', 'EXPIRED'],
  ] as const)('%s, by %s: %s', (state, who, decision, refusal) => {
    const staffId = who === 'own' ? 'anna' : 'bela'
    expect(mayDecide({ state, proposedBy: 'anna' }, { staffId, decision })).toBe(refusal)
  })

  it('is too late at the end of its time, and not where it was decided before', () => {
    expect(proposalState({ state: 'open', expiresAtMs: 7 }, 6)).toBe('open')
    expect(proposalState({ state: 'open', expiresAtMs: 7 }, 7)).toBe('expired')
    expect(proposalState({ state: 'confirmed', expiresAtMs: 7 }, 8)).toBe('confirmed')
  })
})
