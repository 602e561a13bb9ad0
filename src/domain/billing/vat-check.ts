import { VAT_CHECK_LASTS_MS } from './tax-rule.ts'
import { DAY_MS } from './period.ts'

/** What a customer is told of the check: nothing to ask, not asked yet, asked without an answer, and the two answers. */
export const VAT_CHECK_STATES = ['none', 'waiting', 'unavailable', 'valid', 'invalid'] as const
export type VatCheckState = (typeof VAT_CHECK_STATES)[number]

const AGAIN_MS = { valid: VAT_CHECK_LASTS_MS - 5 * DAY_MS, invalid: 7 * DAY_MS }
const FIRST_RETRY_MS = 2 * 60_000
const LONGEST_RETRY_MS = 6 * 60 * 60_000

/** When a number is asked about again (epoch milliseconds): in time before a positive answer is too old; a negative one may have come too early. */
export const nextCheckMs = (isValid: boolean, nowMs: number): number =>
  nowMs + (isValid ? AGAIN_MS.valid : AGAIN_MS.invalid)

/** After no answer, for the `tries`-th time (1 at first): minutes, then hours, for as long as the number stands in the profile. */
export const retryCheckMs = (tries: number, nowMs: number): number =>
  nowMs + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(Math.max(0, tries - 1), 20))

/** What the customer is told. A positive answer that is too old counts for the tax as little as none. */
export function vatCheckState(
  check: { readonly isValid: boolean | null; readonly checkedAtMs: number | null; readonly tries: number },
  nowMs: number,
): VatCheckState {
  if (check.isValid === null || check.checkedAtMs === null) return check.tries > 0 ? 'unavailable' : 'waiting'
  if (!check.isValid) return 'invalid'
  return nowMs - check.checkedAtMs > VAT_CHECK_LASTS_MS ? 'unavailable' : 'valid'
}
