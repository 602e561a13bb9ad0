import type { IdentityContext } from './context.ts'
import type { Sql } from './database.ts'

/**
 * What somebody agrees to, as the page says it beside the button. Terms and privacy are documents of the CMS; that an order
 * begins at once, before the days of withdrawal are over, is a part of the terms.
 */
export const CONSENTS_OF = {
  registration: ['terms of service', 'privacy policy'],
  topup: ['terms of service'],
  order: ['terms of service', 'immediate start'],
} as const

export type ConsentOccasion = keyof typeof CONSENTS_OF

// Before staff have saved the documents for the first time, the version is the field's default.
const READ_VERSIONS = `
  select coalesce(max(terms_version), '1') as terms, coalesce(max(privacy_version), '1') as privacy from public.documents`

/** Records what a person agreed to, with the version that the documents have now, the time and the address. */
export const recordConsents = async (
  sql: Sql,
  { ids, clock }: Pick<IdentityContext, 'ids' | 'clock'>,
  consent: { readonly userId: string; readonly occasion: ConsentOccasion; readonly address: string },
): Promise<void> => {
  const [versions] = await sql.query<{ terms: string; privacy: string }>(READ_VERSIONS)
  const givenAt = new Date(clock.now())
  for (const document of CONSENTS_OF[consent.occasion]) {
    const version = document === 'privacy policy' ? versions?.privacy : versions?.terms
    await sql.query(
      `insert into identity.consents (id, user_id, document, version, given_at, address) values ($1, $2, $3, $4, $5, $6)`,
      [ids.next(), consent.userId, document, version ?? '1', givenAt, consent.address],
    )
  }
}
