import { countryCode, HOME_COUNTRY } from './country.ts'
import { DAY_MS } from './period.ts'

/** Standard rates in basis points by member state, valid from a given day. */
export type TaxTable = {
  readonly version: string
  readonly fromMs: number
  readonly standardRates: Readonly<Record<string, bigint>>
}

/**
 * The tables by their first day, oldest first. A table in use never changes, because invoices name its version; a
 * changed rate needs a new table.
 * Rates: the 27 standard rates, from the public collection ibericode/vat-rates (state of 2025-08-12), compared on
 * 2026-11-22 with reviews of 2026 (vatupdate.com of 2026-01-10, easytax.co on the changes of 2026): only reduced rates
 * changed in 2026. The last changes of a standard rate are Romania (21 %, 2025-08-01), Estonia (24 %, 2025-07-01),
 * Slovakia (23 %, 2025-01-01) and Finland (25.5 %, 2024-09-01). Territories of member states outside the EU's tax area
 * are not distinguished.
 */
export const TAX_TABLES: readonly TaxTable[] = [
  {
    version: '2025-08-01',
    fromMs: Date.UTC(2025, 7, 1),
    standardRates: {
      AT: 2000n,
      BE: 2100n,
      BG: 2000n,
      CY: 1900n,
      CZ: 2100n,
      DE: 1900n,
      DK: 2500n,
      EE: 2400n,
      ES: 2100n,
      FI: 2550n,
      FR: 2000n,
      GR: 2400n,
      HR: 2500n,
      HU: 2700n,
      IE: 2300n,
      IT: 2200n,
      LT: 2100n,
      LU: 1700n,
      LV: 2100n,
      MT: 1800n,
      NL: 2100n,
      PL: 2300n,
      PT: 2300n,
      RO: 2100n,
      SE: 2500n,
      SI: 2200n,
      SK: 2300n,
    },
  },
]

export const TAX_KINDS = ['domestic', 'eu-consumer', 'eu-reverse-charge', 'outside-eu'] as const
export type TaxKind = (typeof TAX_KINDS)[number]

/** The tax office's result for a VAT number, and its time. An unchecked number has no effect. */
export type CheckedVatNumber = { readonly number: string; readonly isValid: boolean; readonly checkedAtMs: number }

/** An older result is rechecked; until then the customer counts as a consumer. */
export const VAT_CHECK_LASTS_MS = 30 * DAY_MS

export type TaxedCustomer = { readonly country: string; readonly vatNumber?: CheckedVatNumber | undefined }

export type TaxRule = {
  readonly kind: TaxKind
  readonly ruleId: string
  readonly version: string
  /** The country of the rate: the customer's. */
  readonly country: string
  readonly rateBasisPoints: bigint
  /** Only under reverse charge: it is printed on the invoice. */
  readonly vatNumber?: string
}

export type TaxRefusal = { readonly ok: false; readonly code: 'COUNTRY_UNKNOWN' }
export type TaxDecision = ({ readonly ok: true } & TaxRule) | TaxRefusal

/** The table valid on a day, in UTC milliseconds; earlier days use the first table. */
export function taxTableAt(atMs: number, tables: readonly TaxTable[] = TAX_TABLES): TaxTable {
  const [first] = tables
  if (!first) throw new RangeError('a tax table is needed')
  return tables.findLast(({ fromMs }) => fromMs <= atMs) ?? first
}

/**
 * A customer's tax at a tax point (clarifications, part 4): Hungary 27 %, EU consumers their own country's rate, EU
 * businesses with a verified number none (reverse charge), everybody else none. A Hungarian business pays Hungarian
 * tax. Refuses an unknown country.
 */
export function taxRuleFor(customer: TaxedCustomer, atMs: number): TaxDecision {
  const country = countryCode(customer.country)
  if (country === undefined) return { ok: false, code: 'COUNTRY_UNKNOWN' }
  const { version, standardRates } = taxTableAt(atMs)
  const rate = standardRates[country]
  const base = { ok: true, version, country } as const
  if (rate === undefined) return { ...base, kind: 'outside-eu', ruleId: 'outside-eu', rateBasisPoints: 0n }
  if (country === HOME_COUNTRY)
    return { ...base, kind: 'domestic', ruleId: `domestic-${country}`, rateBasisPoints: rate }
  const number = usableNumber(customer.vatNumber, { country, atMs })
  if (number !== undefined) {
    return { ...base, kind: 'eu-reverse-charge', ruleId: 'eu-reverse-charge', rateBasisPoints: 0n, vatNumber: number }
  }
  return { ...base, kind: 'eu-consumer', ruleId: `eu-consumer-${country}`, rateBasisPoints: rate }
}

function usableNumber(
  checked: CheckedVatNumber | undefined,
  { country, atMs }: { country: string; atMs: number },
): string | undefined {
  if (!checked?.isValid) return undefined
  // A result from the future is due to a moved clock and counts as new.
  if (atMs - checked.checkedAtMs > VAT_CHECK_LASTS_MS) return undefined
  const read = readVatNumber(checked.number)
  return read?.country === country ? read.number : undefined
}

/**
 * The VAT number of a billing profile, with its prefix: people write it with or without. Undefined without one, for
 * another country's number, and outside the member states.
 */
export function vatNumberOf(profile: { readonly country: string; readonly taxNumber: string }): string | undefined {
  const { standardRates } = taxTableAt(Number.MAX_SAFE_INTEGER)
  const country = countryCode(profile.country)
  if (country === undefined || !Object.hasOwn(standardRates, country)) return undefined
  const written = readVatNumber(profile.taxNumber)
  if (written?.country === country) return written.number
  // Another member state's number is not a number of this country with letters in front.
  if (written && Object.hasOwn(standardRates, written.country)) return undefined
  const prefixed = readVatNumber(`${country === 'GR' ? 'EL' : country}${profile.taxNumber}`)
  return prefixed?.country === country ? prefixed.number : undefined
}

export type VatNumber = {
  readonly country: string
  /** With its prefix, without spaces: HU12345678, EL123456789. */
  readonly number: string
}

/**
 * Parses a VAT number with its country prefix: letters in any case, spaces, dots and hyphens dropped. Returns undefined
 * for an invalid format; only the tax office knows whether it exists.
 */
export function readVatNumber(value: unknown): VatNumber | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const number = value.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}(?=.*\d)[A-Z0-9+*]{2,12}$/.test(number)) return undefined
  const prefix = number.slice(0, 2)
  const country = prefix === 'GR' ? undefined : countryCode(prefix)
  return country === undefined ? undefined : { country, number }
}
