import { VAT_CHECK_LASTS_MS } from './tax-rule.ts'
import { DAY_MS } from './period.ts'

/**
 * The state of the check as shown to a customer: nothing to check, not checked yet, checked without a response, and the
 * two results.
 */
export const VAT_CHECK_STATES = ['none', 'waiting', 'unavailable', 'valid', 'invalid'] as const
export type VatCheckState = (typeof VAT_CHECK_STATES)[number]

const AGAIN_MS = { valid: VAT_CHECK_LASTS_MS - 5 * DAY_MS, invalid: 7 * DAY_MS }
const FIRST_RETRY_MS = 2 * 60_000
const LONGEST_RETRY_MS = 6 * 60 * 60_000

/**
 * When a number is rechecked (epoch milliseconds): before a positive result expires; a negative one may have been too
 * early.
 */
export const nextCheckMs = (isValid: boolean, nowMs: number): number =>
  nowMs + (isValid ? AGAIN_MS.valid : AGAIN_MS.invalid)

/**
 * After the `tries`-th attempt without a response (from 1): minutes, then hours, as long as the number is in the
 * profile.
 */
export const retryCheckMs = (tries: number, nowMs: number): number =>
  nowMs + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(Math.max(0, tries - 1), 20))

/** The state shown to the customer. For the tax, an expired positive result counts as none. */
export function vatCheckState(
  check: { readonly isValid: boolean | null; readonly checkedAtMs: number | null; readonly tries: number },
  nowMs: number,
): VatCheckState {
  if (check.isValid === null || check.checkedAtMs === null) return check.tries > 0 ? 'unavailable' : 'waiting'
  if (!check.isValid) return 'invalid'
  return nowMs - check.checkedAtMs > VAT_CHECK_LASTS_MS ? 'unavailable' : 'valid'
}
