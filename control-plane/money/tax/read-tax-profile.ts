import type { TaxProfile } from '#contracts/http/tax.ts'
import { HOME_COUNTRY } from '#domain/billing/country.ts'
import { vatNumberOf } from '#domain/billing/tax-rule.ts'
import { vatCheckState } from '#domain/billing/vat-check.ts'
import { taxOfCustomer } from './tax-of-sale.ts'
import type { Context } from '../../platform/context.ts'
import { readInvoiceContact } from '../../cms/cms-reader.ts'

type CheckRow = { is_valid: boolean | null; checked_at: Date | null; consultation_number: string | null; tries: number }

/** A person's current tax, and the result of their VAT number's check. */
export async function readTaxProfile(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { userId }: { userId: string },
): Promise<TaxProfile> {
  const nowMs = clock.now()
  const [tax, contact] = [await taxOfCustomer(db, { userId, atMs: nowMs }), await readInvoiceContact(db, userId)]
  const { kind, rateBasisPoints, country } = tax
  const base = { kind, country, ratePercent: Number(rateBasisPoints) / 100 }
  const profile = { country: contact?.country || HOME_COUNTRY, taxNumber: contact?.tax_number ?? '' }
  const number = profile.country === HOME_COUNTRY ? undefined : vatNumberOf(profile)
  if (number === undefined) return { ...base, check: { state: 'none', number: null, checkedAt: null, proof: null } }
  const [row] = await db.query<CheckRow>(
    'select is_valid, checked_at, consultation_number, tries from control.vat_checks where user_id = $1 and number = $2',
    [userId, number],
  )
  const asked = {
    isValid: row?.is_valid ?? null,
    checkedAtMs: row?.checked_at?.getTime() ?? null,
    tries: row?.tries ?? 0,
  }
  const checkedAt = row?.checked_at?.toISOString() ?? null
  return {
    ...base,
    check: { state: vatCheckState(asked, nowMs), number, checkedAt, proof: row?.consultation_number ?? null },
  }
}
