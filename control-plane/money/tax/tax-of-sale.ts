import * as z from 'zod'
import type { TaxPoint } from '#contracts/invoicing.ts'
import { countryOfProfile, HOME_COUNTRY } from '#domain/billing/country.ts'
import { TAX_KINDS, taxRuleFor, vatNumberOf, type CheckedVatNumber, type TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoiceContact, readInvoicing } from '../../cms/cms-reader.ts'

/** A tax rule as stored in a sale's row, in JSON. */
export const SaleTax = z.object({
  kind: z.enum(TAX_KINDS),
  ruleId: z.string().min(1),
  version: z.string().min(1),
  country: z.string().length(2),
  rateBasisPoints: z.int().min(0).max(10_000),
  vatNumber: z.string().optional(),
})
export type SaleTax = z.infer<typeof SaleTax>

/** The value of a sale's column `tax`. */
export const storedTax = ({ kind, ruleId, version, country, rateBasisPoints, vatNumber }: TaxRule): SaleTax => ({
  kind,
  ruleId,
  version,
  country,
  rateBasisPoints: Number(rateBasisPoints),
  ...(vatNumber === undefined ? {} : { vatNumber }),
})

/** Parses a sale's column `tax`; throws for a value that was never written there. */
export function taxOfRow(tax: unknown): TaxRule {
  const { rateBasisPoints, vatNumber, ...rule } = SaleTax.parse(tax)
  return { ...rule, rateBasisPoints: BigInt(rateBasisPoints), ...(vatNumber === undefined ? {} : { vatNumber }) }
}

/**
 * A person's tax at a given time (epoch milliseconds), by the billing profile and the tax office's result for its VAT
 * number. Quote, sale, posting and invoice all use it: a sale decides once and stores the rule in its row.
 */
export async function taxOfCustomer(
  sql: Sql,
  { userId, atMs }: { readonly userId: string; readonly atMs: number },
): Promise<TaxRule> {
  const contact = await readInvoiceContact(sql, userId)
  const country = countryOfProfile(contact)
  const number = vatNumberOf({ country, taxNumber: contact?.tax_number ?? '' })
  const vatNumber = number === undefined ? undefined : await checkedNumber(sql, { userId, number })
  const decided = taxRuleFor({ country, vatNumber }, atMs)
  if (decided.ok) return ruleOf(decided)
  // An unknown country is a mistake, and must not lead to a sale without tax.
  const home = taxRuleFor({ country: HOME_COUNTRY }, atMs)
  assert(home.ok, 'The home country has a rule.')
  return ruleOf(home)
}

const ruleOf = ({ kind, ruleId, version, country, rateBasisPoints, vatNumber }: TaxRule): TaxRule => ({
  kind,
  ruleId,
  version,
  country,
  rateBasisPoints,
  ...(vatNumber === undefined ? {} : { vatNumber }),
})

/** The result is valid only for the checked number: a changed profile voids it. */
async function checkedNumber(
  sql: Sql,
  { userId, number }: { userId: string; number: string },
): Promise<CheckedVatNumber | undefined> {
  const [row] = await sql.query<{ is_valid: boolean; checked_at: Date }>(
    `select is_valid, checked_at from control.vat_checks
     where user_id = $1 and number = $2 and is_valid is not null`,
    [userId, number],
  )
  return row && { number, isValid: row.is_valid, checkedAtMs: row.checked_at.getTime() }
}

type Credited = { readonly userId: string; readonly atMs: number }
/** The tax of a payment, and its tax point: decided when the money is credited, whatever the settings say later. */
export type TopUpTax = { readonly tax: TaxRule; readonly taxPoint: TaxPoint }

/** Decides the tax of a top-up; `keepTaxOfTopUp` stores it with the payment. */
export async function taxOfTopUp(tx: Sql, credited: Credited): Promise<TopUpTax> {
  const [{ tax_point: taxPoint }, tax] = await Promise.all([readInvoicing(tx), taxOfCustomer(tx, credited)])
  return { tax, taxPoint }
}

export async function keepTaxOfTopUp(
  tx: Sql,
  { paymentId, tax, taxPoint }: TopUpTax & { readonly paymentId: string },
): Promise<void> {
  await tx.query('update control.payments set tax = $2, tax_point = $3 where id = $1', [
    paymentId,
    JSON.stringify(storedTax(tax)),
    taxPoint,
  ])
}

/** The same for an unmatched payment that staff assigned as an additional amount. Only its invoice contains the tax. */
export async function keepTaxOfAssigned(
  tx: Sql,
  { unmatchedId, taxPoint }: { readonly unmatchedId: string; readonly taxPoint: TaxPoint },
): Promise<void> {
  await tx.query('update control.unmatched_payments set tax_point = $2 where id = $1', [unmatchedId, taxPoint])
}
