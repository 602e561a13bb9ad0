import { describe, expect, it } from 'vitest'
import { decideLook, type PaymentLook } from '#domain/payments/payment-look.ts'
import type { PaymentFacts } from '#domain/payments/payment-state.ts'

const LATE_MS = 365 * 24 * 3_600_000
const facts = (state: PaymentFacts['state'], changes: Partial<PaymentFacts> = {}): PaymentFacts => ({
  state,
  refundedFt: 0n,
  dispute: 'none',
  ...changes,
})
const look = (changes: Partial<PaymentLook> = {}): PaymentLook => ({
  known: facts('pending'),
  seen: facts('settled'),
  mismatch: null,
  isErasedAccount: false,
  hasProblem: false,
  unmatched: { isAssigned: false, isResolved: false },
  watched: { createdAtMs: 0, openUntilMs: 1, checks: 0 },
  ...changes,
})
const assigned = { isAssigned: true, isResolved: false }
const resolved = { isAssigned: false, isResolved: true }

describe('a look at a payment that is not settled', () => {
  it('credits money that fits, also what is first seen disputed', () => {
    expect(decideLook(look(), 0)).toEqual({ facts: facts('settled'), problem: null })
    const seen = facts('pending', { dispute: 'open' })
    expect(decideLook(look({ seen }), 0).facts.state).toBe('settled')
  })

  it('parks money that does not fit, and moves nothing', () => {
    expect(decideLook(look({ mismatch: 'AMOUNT_MISMATCH' }), LATE_MS)).toEqual({
      facts: facts('pending'),
      problem: 'AMOUNT_MISMATCH',
    })
  })

  it('parks what comes for an account that is gone, and names what else does not fit first', () => {
    const gone = look({ isErasedAccount: true })
    expect(decideLook(gone, 0)).toEqual({ facts: facts('pending'), problem: 'ERASED_ACCOUNT' })
    expect(decideLook({ ...gone, mismatch: 'AMOUNT_MISMATCH' }, 0).problem).toBe('AMOUNT_MISMATCH')
    expect(decideLook({ ...gone, known: facts('settled') }, 0).problem).toBeNull()
  })

  it.each([assigned, resolved])('leaves money that staff dealt with elsewhere where it is: %j', (unmatched) => {
    for (const mismatch of [null, 'AMOUNT_MISMATCH'] as const)
      expect(decideLook(look({ unmatched, mismatch }), 0)).toEqual({ facts: facts('pending'), problem: null })
  })

  it('expires what nobody can pay any more, unless money that does not fit is here', () => {
    const waits = look({ seen: undefined })
    expect(decideLook(waits, 0).facts.state).toBe('pending')
    expect(decideLook(waits, LATE_MS).facts.state).toBe('expired')
    expect(decideLook({ ...waits, hasProblem: true }, LATE_MS).facts.state).toBe('pending')
    expect(decideLook(look({ seen: facts('failed'), known: facts('pending') }), LATE_MS).facts.state).toBe('failed')
  })
})

describe('a look at a payment that was credited', () => {
  const known = facts('settled')
  it('keeps it, and makes what is told differently a problem', () => {
    expect(decideLook(look({ known, mismatch: 'AMOUNT_MISMATCH' }), LATE_MS)).toEqual({
      facts: known,
      problem: 'AMOUNT_MISMATCH',
    })
    const parts = [{ unmatched: assigned }, { unmatched: resolved }, { seen: undefined }, { seen: facts('pending') }]
    for (const part of parts)
      expect(decideLook(look({ known, mismatch: 'AMOUNT_MISMATCH', ...part }), 0).problem).toBeNull()
  })
})
