import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

/**
 * The consents of each action, as stated beside its button. Terms and privacy are documents of the CMS; the immediate
 * start before the withdrawal period ends is part of the terms.
 */
export const CONSENTS_OF = {
  registration: ['terms of service', 'privacy policy'],
  topup: ['terms of service'],
  order: ['terms of service', 'immediate start'],
  /** For server time and premium tiers the text beside the button says that they begin at once. */
  renewal: ['immediate start'],
} as const

export type ConsentOccasion = keyof typeof CONSENTS_OF

// Until staff have saved the documents for the first time, the version is the field's default.
const READ_VERSIONS = `
  select coalesce(max(terms_version), '1') as terms, coalesce(max(privacy_version), '1') as privacy from public.documents`

/** Records a person's consents, with the current version of the documents, the time and the address. */
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

/** The current version of the terms, and the newest one that the person accepted. */
export type TermsState = { readonly version: string; readonly accepted: string | null }

// Ids rise with time: of two consents within one millisecond the later one counts.
const READ_ACCEPTED = `
  select version from identity.consents where user_id = $1 and document = 'terms of service' order by id desc limit 1`

/** Reads the current version of the terms, and the one that the person accepted last. */
export const readTermsState = async (sql: Sql, userId: string): Promise<TermsState> => {
  const [versions] = await sql.query<{ terms: string }>(READ_VERSIONS)
  const [accepted] = await sql.query<{ version: string }>(READ_ACCEPTED, [userId])
  return { version: versions?.terms ?? '1', accepted: accepted?.version ?? null }
}

/**
 * Whether a request is made under the current terms: the person accepted them before, or `shown` says that the page
 * showed this very version. A person who never accepted any, such as in an account made by staff, does so by the
 * request itself.
 */
export const isUnderPresentTerms = ({ version, accepted }: TermsState, shown: string | undefined): boolean =>
  accepted === null || accepted === version || shown === version
