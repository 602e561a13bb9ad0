import * as z from 'zod'
import { TAX_KINDS } from '#domain/billing/tax-rule.ts'
import { VAT_CHECK_STATES } from '#domain/billing/vat-check.ts'
import { Instant, VatPercent } from '../primitives.ts'

/** The signed-in person's tax, and the tax office's result for their VAT number; `none` without a number to check. */
export const TaxProfile = z.object({
  kind: z.enum(TAX_KINDS),
  country: z.string().length(2),
  ratePercent: VatPercent,
  check: z.object({
    state: z.enum(VAT_CHECK_STATES),
    /** With its country prefix. */
    number: z.string().nullable(),
    checkedAt: Instant.nullable(),
    /** The office's consultation number. */
    proof: z.string().nullable(),
  }),
})
export type TaxProfile = z.infer<typeof TaxProfile>
