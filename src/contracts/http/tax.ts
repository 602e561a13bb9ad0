import * as z from 'zod'
import { TAX_KINDS } from '#domain/billing/tax-rule.ts'
import { VAT_CHECK_STATES } from '#domain/billing/vat-check.ts'
import { Instant, VatPercent } from '../primitives.ts'

/** The tax that the signed-in person pays, and what the tax office said of their VAT number; `none` where there is nothing to ask. */
export const TaxProfile = z.object({
  kind: z.enum(TAX_KINDS),
  country: z.string().length(2),
  ratePercent: VatPercent,
  check: z.object({
    state: z.enum(VAT_CHECK_STATES),
    /** With the prefix of its country. */
    number: z.string().nullable(),
    checkedAt: Instant.nullable(),
    /** The office's consultation number. */
    proof: z.string().nullable(),
  }),
})
export type TaxProfile = z.infer<typeof TaxProfile>
